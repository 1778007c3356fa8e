/** Where a project gets the packages of Latchkey from: a registry, or a folder of tarballs. */
import { existsSync, readdirSync } from "node:fs"
import { resolve, sep } from "node:path"
import { CommandError } from "../terminal.ts"
import type { Framework } from "./framework.ts"
import type { Overrides } from "./manager-settings.ts"

export interface LatchkeyPackages {
  /** Returns what `package.json` says about a package: a range, or the path of its tarball. */
  readonly ranges: (name: string) => string
  /** Replaces the ranges in packages of Latchkey, if they are in no registry. */
  readonly overrides?: Overrides
}

/** Packages that only other packages of Latchkey need, also those for databases. */
const innerPackages = ["@latchkey/adapter-kit", "@latchkey/client", "@latchkey/pages"]

/** The name of a tarball that `npm pack` writes, also without its version. */
const tarballPattern = /^latchkey-(?<name>[a-z-]+?)(?:-\d.*)?\.tgz$/

/**
 * Finds the tarballs of the packages that an application needs.
 *
 * @throws CommandError if one of them is missing
 */
export function readTarballs(folder: string, framework: Framework): LatchkeyPackages {
  const files = existsSync(folder) ? readdirSync(folder) : []
  const tarballs = Object.fromEntries(
    files.flatMap((file) => {
      const { name } = tarballPattern.exec(file)?.groups ?? {}
      const path = resolve(folder, file).split(sep).join("/")
      return name === undefined ? [] : [[`@latchkey/${name}`, `file:${path}`]]
    }),
  )
  const needed = [...framework.dependencies, ...framework.devDependencies, ...innerPackages]
  const missing = needed.find((name) => !(name in tarballs))
  if (missing !== undefined)
    throw new CommandError(`${folder} has no tarball of ${missing}, such as npm pack writes it.`)
  const getTarball = (name: string) => tarballs[name] ?? ""
  // Not only the inner ones: pnpm and Yarn look up what packages ask for, also if the application lists it.
  const overrides = Object.fromEntries(needed.toSorted().map((name) => [name, getTarball(name)]))
  return { ranges: getTarball, overrides }
}
