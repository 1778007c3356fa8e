/**
 * Bundles each public entry of the published packages on its own, minifies and gzips it, and
 * compares the size with `scripts/size-budgets.json` (bytes). Dependencies stay outside.
 */
import { readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { publishedPackages } from "./published.ts"

const budgets: Record<string, number> = JSON.parse(
  readFileSync("scripts/size-budgets.json", "utf8"),
)
const seen = new Set<string>()
let measured = 0
let failures = 0

for (const { folder, name, exports } of publishedPackages()) {
  for (const [subpath, target] of Object.entries(exports)) {
    if (typeof target === "string") continue
    const entry = name + subpath.slice(1)
    for (const name of [entry, family(entry)]) seen.add(name)
    report(entry, await gzippedSize(`${folder}/${target.default}`, name))
  }
}
for (const entry of Object.keys(budgets).filter((entry) => !seen.has(entry))) {
  fail(`${entry}: has a budget but is no public entry`)
}
console.log(`size: ${measured} entries, ${failures} problems`)
process.exitCode = failures > 0 || measured === 0 ? 1 : 0

function report(entry: string, bytes: number): void {
  measured += 1
  const budget = budgets[entry] ?? budgets[family(entry)]
  if (budget === undefined) {
    fail(`${entry}: has no budget in scripts/size-budgets.json`)
  } else if (bytes > budget) {
    fail(`${entry}: ${bytes} bytes, over its budget of ${budget}`)
  } else {
    console.log(`${String(bytes).padStart(7)} of ${String(budget).padStart(6)}  ${entry}`)
  }
}

/** Entries that are alike share a budget: `@latchkey/core/providers/*`. */
function family(entry: string): string {
  return entry.replace(/[^/]+$/, "*")
}

function fail(message: string): void {
  failures += 1
  console.error(`✗ ${message}`)
}

async function gzippedSize(file: string, packageName: string): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    // Components of Svelte are published as they are written.
    loader: { ".svelte": "text" },
    minify: true,
    write: false,
    format: "esm",
    platform: packageName === "@latchkey/core" ? "neutral" : "node",
    packages: "external",
    logLevel: "error",
  })
  const [bundle] = outputFiles
  if (bundle === undefined) throw new Error(`esbuild wrote nothing for ${file}`)
  return gzipSync(bundle.contents, { level: 9 }).byteLength
}
