/**
 * `node scripts/applications/update-lock-files.ts [name…]`: updates the lock files of applications. Entries of our own
 * packages have no checksum, because each packing creates different tarballs.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Application, applications, sourceFolders } from "./catalogue.ts"
import { runProgram } from "./command.ts"
import { collectFiles, writeFiles } from "./overlay-files.ts"
import { packedTarballs } from "./tarballs.ts"

const manifests = new Set(["package.json", ".npmrc"])
const requestedNames = process.argv.slice(2)
const selectedApplications = applications.filter(
  ({ name }) => requestedNames.length === 0 || requestedNames.includes(name),
)
if (selectedApplications.length < requestedNames.length) {
  throw new Error(
    `No such applications: ${requestedNames.join(" ")}. There are ${applications.map(({ name }) => name).join(" ")}.`,
  )
}
for (const application of selectedApplications) await updateLockFile(application)

async function updateLockFile(application: Application): Promise<void> {
  const [sourceFolder = ""] = sourceFolders(application).toReversed()
  const temporaryFolder = mkdtempSync(join("node_modules", ".relock-"))
  try {
    const folder = join(temporaryFolder, application.name)
    const files = collectFiles(sourceFolders(application))
    writeFiles(new Map([...files].filter(([path]) => manifests.has(path))), folder)
    const path = join(folder, "package-lock.json")
    // Keeps the entries of other packages unless the manifest has changed, and removes the checksums of our own.
    if (existsSync(join(sourceFolder, "package-lock.json"))) {
      writeLockFile(
        path,
        readLockFile(join(sourceFolder, "package-lock.json")),
        ([place]) => !place.includes("/@latchkey/"),
      )
    }
    symlinkSync(packedTarballs.folder, join(temporaryFolder, "packed"))
    await runProgram("npm", ["install", "--package-lock-only", "--ignore-scripts"], { cwd: folder })
    const lock = readLockFile(path)
    for (const entry of Object.values(lock.packages)) {
      if (entry.resolved?.startsWith("file:")) delete entry.integrity
    }
    writeLockFile(join(sourceFolder, "package-lock.json"), lock)
    console.log(`${sourceFolder}/package-lock.json`)
  } finally {
    rmSync(temporaryFolder, { recursive: true, force: true })
  }
}

/** The part of a lock file that is read here. */
interface LockFile {
  readonly packages: Record<string, { resolved?: string; integrity?: string }>
}

function readLockFile(path: string): LockFile {
  return JSON.parse(readFileSync(path, "utf8"))
}

function writeLockFile(
  path: string,
  lock: LockFile,
  keep: (entry: [string, unknown]) => boolean = () => true,
) {
  const packages = Object.fromEntries(Object.entries(lock.packages).filter(keep))
  writeFileSync(path, `${JSON.stringify({ ...lock, packages }, undefined, 2)}\n`)
}
