import { readdirSync, readFileSync } from "node:fs"
import { basename } from "node:path"

/** The target of an entry: a path, or one for each condition. */
type ExportTarget = string | { readonly default: string }

/** A published package of the workspace: its folder, its name, its public entries without patterns. */
export interface PublishedPackage {
  readonly folder: string
  readonly name: string
  readonly exports: Readonly<Record<string, ExportTarget>>
}

const core = "packages/core"

/** Reads the manifests of `packages/*`, leaving out the private ones. */
export function readPublishedPackages(): PublishedPackage[] {
  return readdirSync("packages").flatMap((entry) => {
    const folder = `packages/${entry}`
    const { private: isPrivate, name } = readManifest(folder)
    return isPrivate ? [] : [{ folder, name, exports: readExports(folder) }]
  })
}

/**
 * Reads the entries of a package. In the core, `./providers/*` stands for the files of the catalogue; a framework package
 * re-exports all providers of the core.
 */
export function readExports(folder: string): Record<string, ExportTarget> {
  const entries = Object.entries<ExportTarget>(readManifest(folder).exports ?? {})
  const expanded = entries.flatMap(([entry, target]) =>
    entry.includes("*")
      ? listProviders(folder).map((id) => [entry.replace("*", id), insertIntoTarget(id, target)])
      : [[entry, target]],
  )
  return Object.fromEntries(expanded)
}

function listProviders(folder: string): string[] {
  if (folder !== core)
    return Object.keys(readExports(core)).flatMap(
      (entry) => entry.match(/(?<=^\.\/providers\/).+/) ?? [],
    )
  const files = readdirSync(`${core}/src/providers/catalogue`)
  return files.map((file) => basename(file, ".ts"))
}

function insertIntoTarget(id: string, target: ExportTarget): ExportTarget {
  return JSON.parse(JSON.stringify(target).replaceAll("*", id))
}

function readManifest(folder: string) {
  return JSON.parse(readFileSync(`${folder}/package.json`, "utf8"))
}
