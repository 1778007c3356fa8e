import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ManifestTarget } from "./package-targets.ts"

/** Conditions for tools, which read the manifest of the package. */
const toolConditions: readonly string[] = ["@latchkey/source", "types"]

/**
 * Writes a manifest into `dist`, with `type`, `sideEffects` and `imports`. Node.js parses the nearest manifest for every file
 * that it loads, and that of the package has hundreds of entries: for the core, they cost as much as its code.
 */
export function writeNestedManifest(folder: string): void {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const { type, sideEffects, imports } = manifest
  const nested = { type, sideEffects, ...(imports && { imports: moveIntoDist(imports) }) }
  writeFileSync(join(folder, "dist/package.json"), `${JSON.stringify(nested, undefined, 2)}\n`)
}

function moveIntoDist(target: ManifestTarget): ManifestTarget {
  if (typeof target === "string") return target.replace("./dist/", "./")
  const entries = Object.entries(target).filter(
    ([condition]) => !toolConditions.includes(condition),
  )
  return Object.fromEntries(entries.map(([condition, each]) => [condition, moveIntoDist(each)]))
}
