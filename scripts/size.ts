/**
 * Bundles each public entry of the published packages on its own, minifies and gzips it, and
 * compares the size with `scripts/size-budgets.json` (bytes). Dependencies are not included, except for the session
 * reader, whose size is that of a whole worker. Neither are modules that are imported dynamically: an application that
 * does not use them never loads them.
 */
import { readFileSync } from "node:fs"
import { relative } from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { readPublishedPackages } from "./published-packages.ts"

const budgets: Record<string, number> = JSON.parse(
  readFileSync("scripts/size-budgets.json", "utf8"),
)
const knownEntries = new Set<string>()
let measuredCount = 0
let failureCount = 0

for (const { folder, name, exports } of readPublishedPackages()) {
  for (const [subpath, target] of Object.entries(exports)) {
    if (typeof target === "string") continue
    const entry = name + subpath.slice(1)
    for (const name of [entry, entryFamily(entry)]) knownEntries.add(name)
    reportSize(entry, await measureGzippedSize(`${folder}/${target.default}`, name))
  }
}
for (const entry of Object.keys(budgets).filter((entry) => !knownEntries.has(entry))) {
  reportFailure(`${entry}: has a budget but is no public entry`)
}
console.log(`size: ${measuredCount} entries, ${failureCount} problems`)
process.exitCode = failureCount > 0 || measuredCount === 0 ? 1 : 0

function reportSize(entry: string, bytes: number): void {
  measuredCount += 1
  const budget = budgets[entry] ?? budgets[entryFamily(entry)]
  if (budget === undefined) {
    reportFailure(`${entry}: has no budget in scripts/size-budgets.json`)
  } else if (bytes > budget) {
    reportFailure(`${entry}: ${bytes} bytes, over its budget of ${budget}`)
  } else {
    console.log(`${String(bytes).padStart(7)} of ${String(budget).padStart(6)}  ${entry}`)
  }
}

/** Similar entries share a budget: `@latchkey/core/providers/*`. */
function entryFamily(entry: string): string {
  return entry.replace(/[^/]+$/, "*")
}

function reportFailure(message: string): void {
  failureCount += 1
  console.error(`✗ ${message}`)
}

async function measureGzippedSize(file: string, packageName: string): Promise<number> {
  const { outputFiles, metafile } = await build({
    entryPoints: { entry: file },
    bundle: true,
    // Svelte components are published uncompiled.
    loader: { ".svelte": "text" },
    minify: true,
    write: false,
    format: "esm",
    splitting: true,
    outdir: "bundle",
    metafile: true,
    platform: packageName === "@latchkey/core" ? "neutral" : "node",
    packages: file.endsWith("/session-reader.js") ? "bundle" : "external",
    logLevel: "error",
  })
  const loadedPaths = new Set(["bundle/entry.js"])
  // Entries that are added during the loop are visited, too.
  for (const path of loadedPaths) {
    for (const { kind, path: imported, external } of metafile.outputs[path]?.imports ?? []) {
      if (kind === "import-statement" && !external) loadedPaths.add(imported)
    }
  }
  const loaded = outputFiles.filter(({ path }) => loadedPaths.has(relative(process.cwd(), path)))
  if (loaded.length === 0) throw new Error(`esbuild wrote nothing for ${file}`)
  const contents = Buffer.concat(loaded.map((output) => output.contents))
  return gzipSync(contents, { level: 9 }).byteLength
}
