/** The packages of a release, and which of them need each other. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { readPublishedPackages } from "../published-packages.ts"

/** A package in the version of its manifest. */
export interface Release {
  readonly name: string
  readonly version: string
  /** The other packages that an installation needs. */
  readonly needs: readonly string[]
}

/** Reads the published packages of the repository in the current folder. */
export function readReleases(): Release[] {
  const folders = readPublishedPackages().map(({ folder }) => folder)
  return folders.map((folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    const { name, version, dependencies, peerDependencies } = manifest
    const needs = Object.keys({ ...dependencies, ...peerDependencies })
    return { name, version, needs: needs.filter((each) => each.startsWith("@latchkey/")) }
  })
}

/** Orders packages so that each follows those that it needs. @throws Error if some need each other */
export function orderByDependencies(releases: readonly Release[]): Release[] {
  const ordered: Release[] = []
  let waiting = releases
  while (waiting.length > 0) {
    const names = waiting.map(({ name }) => name)
    const ready = waiting.filter(({ needs }) => !needs.some((name) => names.includes(name)))
    if (ready.length === 0) throw new Error(`${names.join(", ")} need each other.`)
    ordered.push(...ready)
    waiting = waiting.filter((release) => !ready.includes(release))
  }
  return ordered
}
