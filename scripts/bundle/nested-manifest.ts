import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/**
 * Writes a manifest with `type` and `sideEffects` into `dist`. Node.js parses the nearest manifest for every file that it
 * loads, and that of the package lists more than a hundred entries. Packages with `imports` get none, because some tools
 * read `imports` only from the manifest of the package.
 */
export function writeNestedManifest(folder: string): void {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const { type, sideEffects, imports } = manifest
  if (imports) return
  const text = JSON.stringify({ type, sideEffects }, undefined, 2)
  writeFileSync(join(folder, "dist/package.json"), `${text}\n`)
}
