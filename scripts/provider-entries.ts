/**
 * Generates the entries `./providers` and `./providers/*` of the framework packages: files in `dist` that
 * re-export those of the core. The list is in `exports` of their manifests. `npm run build` and `npm test` run this script.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { readPublishedPackages } from "./published-packages.ts"

let count = 0
for (const { folder, name, exports } of readPublishedPackages()) {
  if (name === "@latchkey/core") continue
  for (const [entry, target] of Object.entries(exports)) {
    if (typeof target === "string" || !/^\.\/providers(?:\/|$)/.test(entry)) continue
    writeEntry(join(folder, target.default), JSON.stringify(`@latchkey/core/${entry.slice(2)}`))
    count += 1
  }
}
if (count === 0) throw new Error("No framework package has providers in its `exports`.")

/** Writes the module and its declarations. The entry `./providers` has types only. */
function writeEntry(file: string, origin: string): void {
  const isTypesOnly = origin.endsWith('/providers"')
  const reExport = `export * from ${origin}\nexport { default } from ${origin}\n`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, isTypesOnly ? "export {}\n" : reExport)
  writeFileSync(
    file.replace(/\.js$/, ".d.ts"),
    isTypesOnly ? `export type * from ${origin}\n` : reExport,
  )
}
