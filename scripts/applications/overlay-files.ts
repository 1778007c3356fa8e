/** Combines the files of several folders to one application. */
import { createHash } from "node:crypto"
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"

/** The path in the application, and the source of the file. */
export type FileMap = ReadonlyMap<string, string>

/** Results of installation and build, and files of one machine. */
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

/** Lists the files of several folders. Files of later folders replace those of earlier ones. */
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

/** Returns a hash of files and of other texts. */
export function hashFiles(files: FileMap, ...texts: readonly string[]): string {
  const hash = createHash("sha256").update(JSON.stringify(texts))
  for (const [path, source] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`\0${path}\0`).update(readFileSync(source))
  }
  return hash.digest("hex")
}

/** Makes a folder contain exactly these files, besides installed packages. */
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
