/** The versions that `latchkey move` writes into `package.json`. */
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { PackageVersions } from "./manifest.ts"

/** The version of `@auth/core` that Latchkey is tested with. */
const testedAuthCore = "0.41.0"

/** Packages of Latchkey have one version. `@auth/core` keeps the one that is installed. */
export function readPackageVersions(folder: string): PackageVersions {
  const { version } = createRequire(import.meta.url)("../../package.json") as { version: string }
  const installed = join(folder, "node_modules/@auth/core/package.json")
  const authCore: string = existsSync(installed)
    ? JSON.parse(readFileSync(installed, "utf8")).version
    : testedAuthCore
  return { latchkey: `^${version}`, authCore: `^${authCore}` }
}
