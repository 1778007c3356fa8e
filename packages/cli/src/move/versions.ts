/** The versions that `latchkey move` writes into `package.json`. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { packageFolder } from "../package-folder.ts"
import type { PackageVersions } from "./manifest.ts"

/** The version of `@auth/core` that Latchkey is tested with. */
const testedAuthCore = "0.41.0"

/** Packages of Latchkey have one version. `@auth/core` keeps the one that is installed. */
export function readPackageVersions(folder: string): PackageVersions {
  const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"))
  const installed = join(folder, "node_modules/@auth/core/package.json")
  const authCore: string = existsSync(installed)
    ? JSON.parse(readFileSync(installed, "utf8")).version
    : testedAuthCore
  return { latchkey: `^${version}`, authCore: `^${authCore}` }
}
