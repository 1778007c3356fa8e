/**
 * Installs the dependencies of the tests in `compat/authjs`, `compat/other-libraries` and `compat/recipes`, or of given
 * folders, separately from the packages' own dependencies. Runs again if a file that they are installed or generated
 * from has changed.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

const [, , folders = "compat/{authjs,other-libraries,recipes}"] = process.argv
const lockFiles = globSync(`${folders}/package-lock.json`)
if (lockFiles.length === 0)
  throw new Error(`There is no ${folders}/package-lock.json to install from.`)

for (const lockFile of lockFiles) {
  const folder = dirname(lockFile)
  const markerFile = `${folder}/node_modules/.installed-from`
  const expectedHash = hashFiles([
    lockFile,
    `${folder}/package.json`,
    ...globSync(`${folder}/prisma/*`),
  ])
  if (existsSync(markerFile) && readFileSync(markerFile, "utf8") === expectedHash) continue
  runNpm(folder, "ci")
  runNpm(folder, "run", "--silent", "--if-present", "generate")
  writeFileSync(markerFile, expectedHash)
}

function runNpm(folder: string, ...parameters: string[]): void {
  // Standard output is reserved for the tests that follow.
  execFileSync("npm", parameters, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] })
}

function hashFiles(files: readonly string[]): string {
  const hash = createHash("sha256")
  for (const file of files) hash.update(readFileSync(file)).update("\0")
  return hash.digest("hex")
}
