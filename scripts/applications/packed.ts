/** The packed packages, as applications install them. */
import { execFileSync } from "node:child_process"
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { fingerprint } from "./files.ts"

const folder = resolve("examples/packed")

export const tarballs = {
  folder,
  /** The tarball of a package, such as `core`. */
  of: (name: string): string => join(folder, `latchkey-${name}.tgz`),
  /** Changes when one of the packages changes. */
  fingerprint(): string {
    const files = globSync("*.tgz", { cwd: folder })
    return fingerprint(new Map(files.map((file) => [file, join(folder, file)])))
  },
}

/**
 * Puts the packages of now in place of those that were there when the application was installed: their dependencies
 * stand in its lock file, and are the same.
 */
export function unpackPackages(application: string): void {
  const installed = globSync("node_modules/@latchkey/*", { cwd: application })
  for (const path of installed) unpack(basename(path), application)
}

/** Unpacks one package into an application, unless it is there already. */
export function unpack(name: string, application: string): void {
  const tarball = tarballs.of(name)
  if (!existsSync(tarball)) throw new Error(`${tarball} is missing: run npm run pack.`)
  const place = join(application, "node_modules", "@latchkey", name)
  const mark = join(place, ".unpacked-from")
  const state = fingerprint(new Map([[name, tarball]]))
  if (existsSync(mark) && readFileSync(mark, "utf8") === state) return
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  execFileSync("tar", ["-xzf", tarball, "-C", place, "--strip-components=1"])
  writeFileSync(mark, state)
}
