/** A copy of the repository, in which a release can be prepared without changing this one. */
import { execFileSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  symlinkSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

/** Copies the current files into a new folder, which uses the dependencies that are installed here. */
export function copyRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-release-"))
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]
  const files = execFileSync("git", args, { encoding: "utf8", maxBuffer: 1e8 }).split("\0")
  for (const file of [...files, ...globSync("packages/*/dist")])
    if (file !== "" && existsSync(file)) cpSync(file, join(folder, file), { recursive: true })
  for (const path of ["node_modules", ...globSync("packages/*/node_modules")])
    linkDependencies(resolve(path), join(folder, path))
  return folder
}

/** Links each package but ours, for which npm has made relative links. */
function linkDependencies(source: string, target: string): void {
  mkdirSync(target)
  for (const name of readdirSync(source)) {
    if (name === "@latchkey")
      cpSync(join(source, name), join(target, name), { recursive: true, verbatimSymlinks: true })
    else if (!name.startsWith(".") || name === ".bin")
      symlinkSync(join(source, name), join(target, name))
  }
}
