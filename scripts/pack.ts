/**
 * `npm run pack [name…]`: packs the published packages for the example applications, which install them as a user would.
 * The tarballs have names without a version, so that manifests and lock files outlive a release. Built before: `npm run
 * build`.
 */
import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import { packPackages } from "./installable/packages.ts"
import { readPublishedPackages } from "./published-packages.ts"

const folder = "examples/packed"

const requestedNames = process.argv.slice(2)
const packages = readPublishedPackages().filter(
  ({ name }) =>
    requestedNames.length === 0 || requestedNames.includes(name.replace("@latchkey/", "")),
)
if (packages.length < Math.max(requestedNames.length, 1)) {
  throw new Error(
    `No such packages: ${requestedNames.join(" ")}. Name folders of packages/ that are published.`,
  )
}
console.log(`pack: ${packIntoFolder(folder).join(", ")}`)

/** Packs beside, and replaces at the end: somebody who installs meanwhile finds the tarballs whole. */
function packIntoFolder(target: string): string[] {
  mkdirSync(target, { recursive: true })
  const temporaryFolder = mkdtempSync(join("node_modules", ".pack-"))
  try {
    return packPackages(temporaryFolder, packages).map((tarball) => {
      const name = basename(tarball).replace(/-\d+\.\d+\.\d+.*$/, ".tgz")
      renameSync(tarball, join(target, name))
      return name
    })
  } finally {
    rmSync(temporaryFolder, { recursive: true, force: true })
  }
}
