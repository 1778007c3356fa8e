import { readdirSync, readFileSync } from "node:fs"

/** A published package of the workspace: its folder, its name, its public entries. */
export interface PublishedPackage {
  readonly folder: string
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
}

/** Reads the manifests of `packages/*`, leaving out the private ones. */
export function readPublishedPackages(): PublishedPackage[] {
  return readdirSync("packages").flatMap((entry) => {
    const folder = `packages/${entry}`
    const manifest = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"))
    return manifest.private ? [] : [{ folder, name: manifest.name, exports: manifest.exports }]
  })
}
