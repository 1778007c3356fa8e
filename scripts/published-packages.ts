import { globSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"

/** The target of an entry: a path, or one for each condition. */
type ExportTarget =
  | string
  | { readonly "@latchkey/source"?: string; readonly types?: string; readonly default: string }

/** A published package of the workspace: its folder, its name, its public entries without patterns. */
export interface PublishedPackage {
  readonly folder: string
  readonly name: string
  readonly exports: Readonly<Record<string, ExportTarget>>
}

const core = "packages/core"

/** Reads the manifests of `packages/*`, leaving out the private ones. */
export function readPublishedPackages(): PublishedPackage[] {
  return readdirSync("packages").flatMap((entry) => {
    const folder = `packages/${entry}`
    const { private: isPrivate, name } = readManifest(folder)
    return isPrivate ? [] : [{ folder, name, exports: readExports(folder) }]
  })
}

/**
 * Reads the entries of a package. A pattern, such as `./languages/*`, stands for the sources that it matches. Framework
 * packages have no sources for `./providers/*`: they re-export all providers of the core.
 */
export function readExports(folder: string): Record<string, ExportTarget> {
  const entries = Object.entries<ExportTarget>(readManifest(folder).exports ?? {})
  const expanded = entries.flatMap(([entry, target]) =>
    entry.includes("*")
      ? listNames(folder, target).map((name) => [
          entry.replace("*", name),
          insertIntoTarget(name, target),
        ])
      : [[entry, target]],
  )
  return Object.fromEntries(expanded)
}

/** Lists the names that the `*` of a pattern stands for. */
function listNames(folder: string, target: ExportTarget): string[] {
  const source = typeof target === "string" ? undefined : target["@latchkey/source"]
  if (source !== undefined)
    return globSync(join(folder, source))
      .map((file) => basename(file, ".ts"))
      .sort()
  return Object.keys(readExports(core)).flatMap(
    (entry) => entry.match(/(?<=^\.\/providers\/).+/) ?? [],
  )
}

function insertIntoTarget(id: string, target: ExportTarget): ExportTarget {
  return JSON.parse(JSON.stringify(target).replaceAll("*", id))
}

function readManifest(folder: string) {
  return JSON.parse(readFileSync(`${folder}/package.json`, "utf8"))
}
