/** Overlays for tests. The one for behaviour tests adds a route, another cookie, and all kinds of sign-in. */
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Application } from "./catalogue.ts"
import { collectFiles, type FileMap } from "./overlay-files.ts"
import { unpackPackage } from "./tarballs.ts"

/** Returns the files of the overlay. Major versions can have their own folder. */
export function collectProbeFiles({ framework, name }: Application): FileMap {
  const folders = [`compat/behaviour/${framework}`, `compat/behaviour/${name}`]
  const files = collectFiles([...new Set(folders)].filter((folder) => existsSync(folder)))
  return new Map([
    ...files,
    ["src/auth.config.ts", "compat/behaviour/auth.config.ts"],
    ["database.mjs", "compat/behaviour/database.mjs"],
  ])
}

/** Returns the overlay for several processes: many users, and refreshed access tokens. */
export function collectProcessFiles({ framework }: Application): FileMap {
  return collectFiles([`compat/processes/${framework}`])
}

/** Adds the packages that only the test configuration needs, from our own installation. */
export function addProbeDependencies(folder: string): void {
  const addedDependencies: Record<string, string> = {}
  for (const name of ["sql", "adapter-kit"]) {
    unpackPackage(name, folder)
    addedDependencies[`@latchkey/${name}`] = `file:../packed/latchkey-${name}.tgz`
  }
  for (const name of ["nodemailer", "@simplewebauthn/server", "kysely"]) {
    copyInstalledPackage(name, folder)
    addedDependencies[name] = readManifest(join("node_modules", name)).version
  }
  const manifest = readManifest(folder)
  const extendedManifest = {
    ...manifest,
    dependencies: { ...manifest.dependencies, ...addedDependencies },
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify(extendedManifest, undefined, 2))
}

/** Copies a package and its dependencies. Installed packages stay unchanged. */
function copyInstalledPackage(name: string, folder: string): void {
  const packagePath = join("node_modules", name)
  if (existsSync(join(folder, packagePath))) return
  cpSync(packagePath, join(folder, packagePath), { recursive: true })
  const { dependencies = {} } = readManifest(packagePath)
  for (const dependency of Object.keys(dependencies)) copyInstalledPackage(dependency, folder)
}

interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
}
