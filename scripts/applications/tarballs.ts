/** The packed packages that applications install. */
import { execFileSync } from "node:child_process"
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { hashFiles } from "./overlay-files.ts"

const tarballFolder = resolve("examples/packed")

export const packedTarballs = {
  folder: tarballFolder,
  /** Returns the tarball of a package, such as `core`. */
  pathOf: (name: string): string => join(tarballFolder, `latchkey-${name}.tgz`),
  /** A hash that changes if one of the packages changes. */
  hash(): string {
    const files = globSync("*.tgz", { cwd: tarballFolder })
    return hashFiles(new Map(files.map((file) => [file, join(tarballFolder, file)])))
  },
}

/**
 * Replaces the installed packages of an application by the current ones. Their dependencies are in the application's
 * lock file, and do not change.
 */
export function unpackPackages(application: string): void {
  const installed = globSync("node_modules/@latchkey/*", { cwd: application })
  for (const path of installed) unpackPackage(basename(path), application)
  // Vite does not notice that packages of the same version have changed.
  rmSync(join(application, "node_modules/.vite"), { recursive: true, force: true })
}

/** Unpacks a package into an application, unless it is up to date. */
export function unpackPackage(name: string, application: string): void {
  const tarball = packedTarballs.pathOf(name)
  if (!existsSync(tarball)) throw new Error(`${tarball} is missing: run npm run pack.`)
  const packageFolder = join(application, "node_modules", "@latchkey", name)
  const markerFile = join(packageFolder, ".unpacked-from")
  const tarballHash = hashFiles(new Map([[name, tarball]]))
  if (existsSync(markerFile) && readFileSync(markerFile, "utf8") === tarballHash) return
  rmSync(packageFolder, { recursive: true, force: true })
  mkdirSync(packageFolder, { recursive: true })
  execFileSync("tar", ["-xzf", tarball, "-C", packageFolder, "--strip-components=1"])
  writeFileSync(markerFile, tarballHash)
}
