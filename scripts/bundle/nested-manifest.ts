import { readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

/**
 * Writes manifests with `type` and `sideEffects` into `dist`. Node.js parses the nearest manifest for every file that it
 * loads, and that of the package lists more than a hundred entries. With `imports`, only the folders of `dist` get one,
 * because some tools read `imports` only from the manifest of the package.
 *
 * @param files paths in `dist`
 */
export function writeNestedManifests(folder: string, files: readonly string[]): void {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const { type, sideEffects, imports } = manifest
  const text = JSON.stringify({ type, sideEffects }, undefined, 2)
  const folders = imports ? files.map(dirname).filter((path) => path !== ".") : ["."]
  for (const path of new Set(folders))
    writeFileSync(join(folder, "dist", path, "package.json"), `${text}\n`)
}
