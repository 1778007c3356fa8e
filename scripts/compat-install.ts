/**
 * Installs the dependencies of the tests in `compat/authjs`, `compat/other-libraries` and `compat/recipes`, or of given
 * folders, separately from the packages' own dependencies. Runs again if a file that they are installed or generated
 * from has changed.
 */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

const [, , folders = "compat/{authjs,other-libraries,recipes}"] = process.argv
const lockFiles = globSync(`${folders}/package-lock.json`)
if (lockFiles.length === 0)
  throw new Error(`There is no ${folders}/package-lock.json to install from.`)

// At the same time, because much of an installation is waiting for the network and for files.
await Promise.all(lockFiles.map((lockFile) => installFolder(dirname(lockFile), lockFile)))

async function installFolder(folder: string, lockFile: string): Promise<void> {
  const markerFile = `${folder}/node_modules/.installed-from`
  const expectedHash = hashFiles([
    lockFile,
    `${folder}/package.json`,
    ...globSync(`${folder}/prisma/*`),
  ])
  if (existsSync(markerFile) && readFileSync(markerFile, "utf8") === expectedHash) return
  await runNpm(folder, "ci")
  await runNpm(folder, "run", "--silent", "--if-present", "generate")
  writeFileSync(markerFile, expectedHash)
}

async function runNpm(folder: string, ...parameters: string[]): Promise<void> {
  // Standard output is reserved for the tests that follow.
  const npm = spawn("npm", parameters, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] })
  const [status] = await once(npm, "close")
  if (status !== 0) throw new Error(`npm ${parameters.join(" ")} failed in ${folder}.`)
}

function hashFiles(files: readonly string[]): string {
  const hash = createHash("sha256")
  for (const file of files) hash.update(readFileSync(file)).update("\0")
  return hash.digest("hex")
}
