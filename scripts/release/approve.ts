/**
 * `npm exec -- node scripts/release/approve.ts <folder>`: publishes the packages that the workflow has staged, after it has
 * compared them with the tarballs in the folder, which you have built from the tag. npm asks for your second factor.
 *
 * A package follows those that it depends on, so that each can be installed at once. A second run goes on where the first
 * one stopped.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { orderByDependencies, type Release, readReleases } from "./releases.ts"

interface StagedVersion {
  readonly id: string
  readonly packageName: string
  readonly version: string
  readonly shasum: string
}

const [folder] = process.argv.slice(2)
if (!folder) throw new Error("Name the folder with the tarballs that you have built.")
const staged: StagedVersion[] = JSON.parse(readNpm("stage", "list", "--json"))
const releases = orderByDependencies(readReleases())
// All of them before the first one is published.
const ids = releases.flatMap((release) => findStagedId(release))
for (const id of ids) execFileSync("npm", ["stage", "approve", id], { stdio: "inherit" })
console.log(`approve: ${ids.length} of ${releases.length} packages published now`)

/** @throws Error if the registry has another tarball, or none */
function findStagedId({ name, version }: Release): string[] {
  const file = `${name.replace("@", "").replace("/", "-")}-${version}.tgz`
  const shasum = createHash("sha1")
    .update(readFileSync(join(folder ?? "", file)))
    .digest("hex")
  const found = staged.find((each) => each.packageName === name && each.version === version)
  const remote = found?.shasum ?? readPublishedChecksum(`${name}@${version}`)
  if (remote === shasum) return found ? [found.id] : []
  throw new Error(
    `${file} has the checksum ${shasum}, and that of the registry ${remote || "none"}.`,
  )
}

/** Returns an empty text for a version that is not published. */
function readPublishedChecksum(specifier: string): string {
  try {
    return readNpm("view", specifier, "dist.shasum").trim()
  } catch {
    return "" // npm has printed the reason
  }
}

function readNpm(...args: readonly string[]): string {
  return execFileSync("npm", args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })
}
