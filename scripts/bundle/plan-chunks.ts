/** A module of a package, as the bundler sees it. Paths are the keys of the graph; other packages are not in it. */
export interface ModuleNode {
  readonly imports: readonly string[]
  readonly dynamicImports: readonly string[]
  readonly size: number
}

export type ModuleGraph = ReadonlyMap<string, ModuleNode>

/** Modules that are loaded together. */
export interface PlannedChunk {
  /** The path of the largest module that no other module of the chunk imports. */
  readonly name: string
  readonly modules: ReadonlySet<string>
}

/**
 * Returns the modules that the same entries and dynamic imports load, one chunk for each such set; a chunk comes after those
 * that it imports. A dynamic import does not count for a module that is loaded whenever it runs: without that, each of
 * them would split what `index.ts` loads into more files. Modules of a single entry are left out.
 */
export function planChunks(graph: ModuleGraph, entries: readonly string[]): PlannedChunk[] {
  const loads = findLoads(graph, entries)
  const earlier = findEarlierLoads(graph, entries, loads)
  const chunkOf = new Map<string, Set<string>>()
  const chunks = new Map<string, Set<string>>()
  for (const path of graph.keys()) {
    const starts = [...loads.keys()].filter((start) => loads.get(start)?.has(path))
    const users = starts.filter((start) => !earlier.get(start)?.has(path))
    if (starts.length < 2) continue
    const key = users.join("\n")
    const chunk = chunks.get(key) ?? new Set()
    chunks.set(key, chunk.add(path))
    chunkOf.set(path, chunk)
  }
  return sortByImports(graph, chunkOf).map((modules) => ({
    name: findLargestRoot(graph, modules),
    modules,
  }))
}

/** Returns what each entry and each dynamic import loads: itself, and what it imports statically. */
function findLoads(graph: ModuleGraph, entries: readonly string[]): Map<string, Set<string>> {
  const dynamicImports = [...graph.values()].flatMap((module) => module.dynamicImports)
  const loads = new Map<string, Set<string>>()
  for (const start of new Set([...entries, ...dynamicImports])) {
    const paths = new Set([start])
    // Paths that are added during the loop are visited, too.
    for (const path of paths) for (const each of graph.get(path)?.imports ?? []) paths.add(each)
    loads.set(start, paths)
  }
  return loads
}

/** Returns, for each dynamic import, the modules that are loaded before it, wherever it comes from. */
function findEarlierLoads(
  graph: ModuleGraph,
  entries: readonly string[],
  loads: ReadonlyMap<string, ReadonlySet<string>>,
): Map<string, Set<string>> {
  const earlier = new Map<string, Set<string>>()
  for (const start of loads.keys())
    earlier.set(start, new Set(entries.includes(start) ? [] : graph.keys()))
  let hasChanged = true
  while (hasChanged) {
    hasChanged = false
    for (const [importer, paths] of loads) {
      const isLoaded = (path: string) => paths.has(path) || earlier.get(importer)?.has(path)
      for (const target of [...paths].flatMap((path) => graph.get(path)?.dynamicImports ?? [])) {
        const before = [...(earlier.get(target) ?? [])]
        const after = before.filter(isLoaded)
        earlier.set(target, new Set(after))
        hasChanged ||= after.length < before.length
      }
    }
  }
  return earlier
}

/** The bundler adds what a chunk imports to it, if no chunk before it has it. */
function sortByImports(
  graph: ModuleGraph,
  chunkOf: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string>[] {
  const visited = new Set<ReadonlySet<string>>()
  const sorted: ReadonlySet<string>[] = []
  const visit = (chunk: ReadonlySet<string> | undefined): void => {
    if (!chunk || visited.has(chunk)) return
    visited.add(chunk)
    for (const path of chunk)
      for (const each of graph.get(path)?.imports ?? []) visit(chunkOf.get(each))
    sorted.push(chunk)
  }
  for (const chunk of chunkOf.values()) visit(chunk)
  return sorted
}

function findLargestRoot(graph: ModuleGraph, paths: ReadonlySet<string>): string {
  const imported = new Set([...paths].flatMap((path) => graph.get(path)?.imports ?? []))
  const roots = [...paths].filter((path) => !imported.has(path))
  const getSize = (path: string) => graph.get(path)?.size ?? 0
  return roots.reduce((largest, path) => (getSize(path) > getSize(largest) ? path : largest))
}
