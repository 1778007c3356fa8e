import { existsSync, readdirSync, rmSync } from "node:fs"
import { join, sep } from "node:path"
import { listTargets } from "./package-targets.ts"

/**
 * Removes JavaScript, declarations and maps of earlier builds from the `dist` of a package: those of deleted sources, and
 * JavaScript that the bundler did not write now.
 *
 * @param bundledFiles paths in `dist`; without them, each source has a JavaScript file
 */
export function removeStaleFiles(folder: string, bundledFiles?: readonly string[]): void {
  const current = new Set([...listTargets(folder), ...(bundledFiles ?? [])])
  const dist = join(folder, "dist")
  for (const entry of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    const path = entry.split(sep).join("/")
    const [, name, extension] = /^(.+?)(\.d\.ts|\.js)(?:\.map)?$/.exec(path) ?? []
    if (name === undefined || current.has(path) || current.has(name + extension)) continue
    const isEmittedByCompiler = extension === ".d.ts" || bundledFiles === undefined
    if (isEmittedByCompiler && existsSync(join(folder, "src", `${name}.ts`))) continue
    rmSync(join(dist, entry))
  }
}
