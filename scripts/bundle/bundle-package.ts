import { readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { basename, join, resolve } from "node:path"
import { type BuildEnvironmentOptions, build, type Plugin, type Rolldown } from "vite"
import { readBuildEntries } from "./package-targets.ts"
import { type ModuleGraph, type ModuleNode, type PlannedChunk, planChunks } from "./plan-chunks.ts"

/**
 * Entries that only tests and tools import. They need most of what the main entry needs, and must not split it into more
 * files.
 */
const toolEntries: readonly string[] = ["src/cli.ts", "src/test-sessions.ts"]
/** The module that imports what `imports` in the manifest selects, which works only beside the entries. */
const platformModule = "src/runtime/platform.ts"

/** The output of the bundler. */
interface Bundle {
  /** The paths of the files, relative to `dist`. */
  readonly files: readonly string[]
  /** The names of other packages whose code is in them. */
  readonly bundledPackages: readonly string[]
}

/**
 * Writes the JavaScript of a package into `dist`: a file for each entry, and chunks for what entries share or import
 * dynamically.
 */
export async function bundlePackage(folder: string): Promise<Bundle> {
  const sources = Object.values(readBuildEntries(folder))
  const entries = sources.filter((path) => !toolEntries.includes(path))
  const graph = await readModuleGraph(folder)
  const chunks = planChunks(
    graph,
    entries.map((path) => resolve(folder, path)),
  )
  const output = await runBundler(folder, { rolldownOptions: createOptions(chunks) })
  assertDeclaredImports(folder, output)
  assertImportsInRoot(output)
  assertClientDirectives(output)
  const files = output.map(({ fileName }) => fileName)
  return { files, bundledPackages: findBundledPackages(folder, output) }
}

/** Packages are external, so only helpers of the bundler itself come from elsewhere. */
function findBundledPackages(
  folder: string,
  output: Rolldown.RolldownOutput["output"],
): readonly string[] {
  const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []))
  const foreign = modules.filter((id) => !id.startsWith(resolve(folder, "src")))
  const unknown = foreign.filter((id) => id !== "\0rolldown/runtime.js")
  if (unknown.length > 0) throw new Error(`${folder} bundles ${unknown.join(", ")}.`)
  return foreign.length > 0 ? ["rolldown"] : []
}

/** A bundler may import helpers of its own, which no user has installed. */
function assertDeclaredImports(folder: string, output: Rolldown.RolldownOutput["output"]): void {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
  const imported = output.flatMap((file) =>
    file.type === "chunk" ? [...file.imports, ...file.dynamicImports] : [],
  )
  const ownFiles = output.map(({ fileName }) => fileName)
  const packages = imported
    .filter((specifier) => !ownFiles.includes(specifier) && !isBuiltin(specifier))
    .flatMap((specifier) => /^(?:@[^/]+\/)?[^#/]+/.exec(specifier) ?? [])
  const unknown = packages.filter((name) => !declared.includes(name))
  if (unknown.length > 0)
    throw new Error(`${folder} imports ${unknown.join(", ")}, which its manifest does not name.`)
}

/** The folders of `dist` have manifests of their own, without `imports`. */
function assertImportsInRoot(output: Rolldown.RolldownOutput["output"]): void {
  for (const file of output) {
    const isNested = file.type === "chunk" && file.fileName.includes("/")
    const imports = isNested ? [...file.imports, ...file.dynamicImports] : []
    const found = imports.find((specifier) => specifier.startsWith("#"))
    if (found) throw new Error(`Only ${platformModule} may import ${found}: ${file.fileName} does.`)
  }
}

const clientDirective = /^"use client";?$/m

/** The bundler warns that it may lose the directive for React. */
function assertClientDirectives(output: Rolldown.RolldownOutput["output"]): void {
  for (const file of output) {
    const source = file.type === "chunk" && file.isEntry ? file.facadeModuleId : undefined
    if (!source || !clientDirective.test(readFileSync(source, "utf8"))) continue
    if (!("code" in file) || !file.code.startsWith('"use client"'))
      throw new Error(`${file.fileName} has lost "use client".`)
  }
}

/** Returns the modules in the order of their paths: the names of chunks depend on it. */
async function readModuleGraph(folder: string): Promise<ModuleGraph> {
  const graph = new Map<string, ModuleNode>()
  const reader: Plugin = {
    name: "read-module-graph",
    buildEnd() {
      for (const id of [...this.getModuleIds()].filter((each) => !isExternal(each)).sort()) {
        const { importedIds = [], dynamicallyImportedIds = [], code } = this.getModuleInfo(id) ?? {}
        graph.set(id, {
          imports: importedIds.filter((each) => !isExternal(each)),
          dynamicImports: dynamicallyImportedIds.filter((each) => !isExternal(each)),
          size: code?.length ?? 0,
        })
      }
    },
  }
  await runBundler(folder, { write: false, rolldownOptions: createOptions([]) }, [reader])
  return graph
}

async function runBundler(
  folder: string,
  options: BuildEnvironmentOptions,
  plugins: Plugin[] = [],
): Promise<Rolldown.RolldownOutput["output"]> {
  const [result] = [
    await build({
      configFile: false,
      root: folder,
      logLevel: "warn",
      plugins,
      build: {
        outDir: "dist",
        emptyOutDir: false,
        target: "es2023",
        // Names and lines stay readable in a stack trace; the bundler of an application minifies.
        minify: false,
        sourcemap: true,
        lib: { entry: readBuildEntries(folder), formats: ["es"] },
        ...options,
      },
    }),
  ].flat()
  if (!result || !("output" in result)) throw new Error(`Vite built nothing for ${folder}.`)
  return result.output
}

function createOptions(chunks: readonly PlannedChunk[]): Rolldown.RolldownOptions {
  const groups = chunks.map(({ name, modules }, index) => ({
    name: basename(name, ".ts"),
    test: (id: string) => modules.has(id),
    priority: chunks.length - index,
  }))
  const platformGroup = {
    name: "platform",
    test: (id: string) => id.endsWith(`/${platformModule}`),
    priority: chunks.length + 1,
  }
  return {
    external: isExternal,
    onLog(level, log, handle) {
      if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle(level, log)
    },
    output: {
      chunkFileNames: ({ name }) => (name === "platform" ? "[name].js" : "chunks/[name].js"),
      codeSplitting: { groups: [platformGroup, ...groups] },
      // `src` is published, and the declarations have the comments.
      sourcemapExcludeSources: true,
      comments: { annotation: true, legal: true, jsdoc: false },
    },
  }
}

/** Packages, modules of Node.js, and the imports that `imports` in the manifest selects at run time. */
function isExternal(specifier: string): boolean {
  return !/^[./]/.test(specifier)
}
