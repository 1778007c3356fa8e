/** The files of an application, from the folders that are laid over one another. */
import { createHash } from "node:crypto"
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"

/** Path in the application, and where the file comes from. */
export type FileMap = ReadonlyMap<string, string>

/** What installing and building leaves behind, and what belongs to one machine. */
const generatedNames = [
  "node_modules",
  "dist",
  "server",
  "lib",
  "tmp",
  "build",
  ".output",
  ".svelte-kit",
  ".vinxi",
  ".nitro",
  ".cache",
  ".solid-start",
]

/** The files of several folders: those of a later one replace those of an earlier one. */
export function collectFiles(folders: readonly string[]): FileMap {
  const files = new Map<string, string>()
  for (const folder of folders) {
    const exclude = (path: string) => generatedNames.includes(path) || path === ".env"
    for (const path of globSync(["**/*", "**/.*"], { cwd: folder, exclude })) {
      if (statSync(join(folder, path)).isFile()) files.set(path, join(folder, path))
    }
  }
  return files
}

/** A hash of files and of further texts. */
export function hashFiles(files: FileMap, ...texts: readonly string[]): string {
  const hash = createHash("sha256").update(JSON.stringify(texts))
  for (const [path, source] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`\0${path}\0`).update(readFileSync(source))
  }
  return hash.digest("hex")
}

/** Makes a folder hold these files and, beside what was installed, nothing else. */
export function writeFiles(files: FileMap, folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const entry of readdirSync(folder)) {
    if (entry !== "node_modules") rmSync(join(folder, entry), { recursive: true, force: true })
  }
  for (const [path, source] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(source, join(folder, path))
  }
}
