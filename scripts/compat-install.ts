/**
 * Installs what the tests in `compat/reference` stand beside, or another folder that is named: other libraries, kept apart
 * from the packages' own. Done anew when what they are installed or generated from has changed.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

const [, , folders = "compat/reference"] = process.argv
const locks = globSync(`${folders}/package-lock.json`)
if (locks.length === 0) throw new Error(`There is no ${folders}/package-lock.json to install from.`)

for (const lock of locks) {
  const folder = dirname(lock)
  const mark = `${folder}/node_modules/.installed-from`
  const wanted = fingerprint([lock, `${folder}/package.json`, ...globSync(`${folder}/prisma/*`)])
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) continue
  npm(folder, "ci")
  npm(folder, "run", "--silent", "--if-present", "generate")
  writeFileSync(mark, wanted)
}

function npm(folder: string, ...parameters: string[]): void {
  // Standard output belongs to the tests that follow.
  execFileSync("npm", parameters, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] })
}

function fingerprint(files: readonly string[]): string {
  const hash = createHash("sha256")
  for (const file of files) hash.update(readFileSync(file)).update("\0")
  return hash.digest("hex")
}
