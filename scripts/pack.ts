/**
 * `npm run pack [name…]`: packs the published packages for the example applications, which install them as users do.
 * The names of the tarballs have no version, so that manifests and lock files stay valid after a release. Run `npm run
 * build` first.
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

/**
 * Packs into another folder and replaces the tarballs at the end, so that concurrent installations find complete files.
 */
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
