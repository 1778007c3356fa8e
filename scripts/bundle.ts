/**
 * `node scripts/bundle.ts [package…]`: writes the JavaScript of the packages into `dist`: a file for each entry, and chunks
 * for what entries share or import dynamically. Node.js loads few files then, and each module exists once per package.
 * `tsc -b` writes the declarations. Files of earlier builds are removed. Beside `dist`, it writes the bill of materials and the
 * licences of third-party components.
 */
import { writeBillOfMaterials } from "./bundle/bill-of-materials.ts"
import { bundlePackage } from "./bundle/bundle-package.ts"
import { writeNestedManifests } from "./bundle/nested-manifest.ts"
import { removeStaleFiles } from "./bundle/stale-files.ts"
import { findThirdPartyComponents, writeLicences } from "./bundle/third-party.ts"
import { readPublishedPackages } from "./published-packages.ts"

/**
 * Packages that the bundler of an application compiles: Qwik's optimizer, or Vite with SvelteKit's modules and components.
 * They keep one file for each module, which `tsc -b` writes.
 */
const unbundledPackages: readonly string[] = ["@latchkey/qwik", "@latchkey/sveltekit"]

const requestedNames = process.argv.slice(2)
const packages = readPublishedPackages().filter(
  ({ name }) =>
    requestedNames.length === 0 || requestedNames.includes(name.replace("@latchkey/", "")),
)
if (packages.length < Math.max(requestedNames.length, 1))
  throw new Error(`No such packages: ${requestedNames.join(" ")}. Name folders of packages/.`)

let fileCount = 0
for (const { folder, name } of packages) {
  const bundle = unbundledPackages.includes(name) ? undefined : await bundlePackage(folder)
  if (bundle) writeNestedManifests(folder, bundle.files)
  removeStaleFiles(folder, bundle?.files)
  const parts = findThirdPartyComponents(folder, bundle?.bundledPackages ?? [])
  writeLicences(folder, parts)
  writeBillOfMaterials(folder, parts)
  fileCount += bundle?.files.length ?? 0
}
console.log(`bundle: ${packages.length} packages, ${fileCount} files`)
