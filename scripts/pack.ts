/**
 * `npm run pack [name…]`: packs the published packages for the example applications, which install them as a user would.
 * The tarballs have names without a version, so that manifests and lock files outlive a release. Built before: `npm run
 * build`.
 */
import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import { pack } from "./installable/packages.ts"
import { publishedPackages } from "./published.ts"

const folder = "examples/packed"

const wanted = process.argv.slice(2)
const packages = publishedPackages().filter(
  ({ name }) => wanted.length === 0 || wanted.includes(name.replace("@latchkey/", "")),
)
if (packages.length < Math.max(wanted.length, 1)) {
  throw new Error(
    `No such packages: ${wanted.join(" ")}. Name folders of packages/ that are published.`,
  )
}
console.log(`pack: ${packTo(folder).join(", ")}`)

/** Packs beside, and replaces at the end: somebody who installs meanwhile finds the tarballs whole. */
function packTo(target: string): string[] {
  mkdirSync(target, { recursive: true })
  const fresh = mkdtempSync(join("node_modules", ".pack-"))
  try {
    return pack(fresh, packages).map((tarball) => {
      const name = basename(tarball).replace(/-\d+\.\d+\.\d+.*$/, ".tgz")
      renameSync(tarball, join(target, name))
      return name
    })
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}
