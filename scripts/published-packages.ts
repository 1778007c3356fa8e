import { globSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"

/** The files of a public entry. The condition is for the workspace only. */
interface EntryFiles {
  readonly "@latchkey/source"?: string
  readonly types: string
  readonly default: string
}

type Exports = Readonly<Record<string, string | EntryFiles>>

/** A published package of the workspace: its folder, its name, its public entries. */
export interface PublishedPackage {
  readonly folder: string
  readonly name: string
  readonly exports: Exports
}

/** Reads the manifests of `packages/*`, leaving out the private ones. */
export function readPublishedPackages(): PublishedPackage[] {
  return readdirSync("packages").flatMap((entry) => {
    const folder = `packages/${entry}`
    const manifest = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"))
    const exports = expandPatterns(folder, manifest.exports)
    return manifest.private ? [] : [{ folder, name: manifest.name, exports }]
  })
}

/** Returns the `exports` of a manifest with an entry for each source that a pattern such as `./languages/*` matches. */
export function expandPatterns(folder: string, exports: Exports): Exports {
  const entries = Object.entries(exports).flatMap(
    ([entry, files]): [string, string | EntryFiles][] => {
      if (typeof files === "string" || !files["@latchkey/source"]?.includes("*"))
        return [[entry, files]]
      const sources = globSync(join(folder, files["@latchkey/source"])).sort()
      return sources.map((source) => {
        const insertName = (pattern: string) => pattern.replace("*", basename(source, ".ts"))
        const { types, default: code } = files
        return [insertName(entry), { types: insertName(types), default: insertName(code) }]
      })
    },
  )
  return Object.fromEntries(entries)
}
