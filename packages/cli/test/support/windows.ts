/** Simulates Windows' rules for paths: `node:path` is `path.win32`, and `node:fs` accepts and returns backslashes. */

import type { Dirent, ObjectEncodingOptions } from "node:fs"
import * as fs from "node:fs"
import { win32 } from "node:path"
import { onTestFinished, vi } from "vitest"

/**
 * Modules that are imported until the end of the test have the paths of Windows. Their files are those of this machine,
 * whose root stands for that of the drive.
 */
export function simulateWindowsPaths(): void {
  vi.resetModules()
  vi.doMock("node:path", () => ({ ...win32, default: win32 }))
  vi.doMock("node:fs", () => {
    const simulated = simulateFileSystem()
    return { ...simulated, default: simulated }
  })
  onTestFinished(() => {
    vi.doUnmock("node:path")
    vi.doUnmock("node:fs")
    vi.resetModules()
  })
}

const toSlashes = (path: string): string => path.replaceAll("\\", "/")
const toBackslashes = (path: string): string => path.replaceAll("/", "\\")

function simulateFileSystem() {
  type ReadOptions = ObjectEncodingOptions & { withFileTypes?: boolean; recursive?: boolean }
  return {
    ...fs,
    existsSync: (path: string) => fs.existsSync(toSlashes(path)),
    statSync: (path: string) => fs.statSync(toSlashes(path)),
    lstatSync: (path: string, options?: fs.StatSyncOptions) =>
      fs.lstatSync(toSlashes(path), options),
    realpathSync: (path: string) => toBackslashes(fs.realpathSync(toSlashes(path))),
    readFileSync: (path: string, encoding?: BufferEncoding) =>
      encoding ? fs.readFileSync(toSlashes(path), encoding) : fs.readFileSync(toSlashes(path)),
    writeFileSync: (path: string, text: string, options?: fs.WriteFileOptions) =>
      fs.writeFileSync(toSlashes(path), text, options),
    appendFileSync: (path: string, text: string, options?: fs.WriteFileOptions) =>
      fs.appendFileSync(toSlashes(path), text, options),
    mkdirSync: (path: string, options?: fs.MakeDirectoryOptions) =>
      fs.mkdirSync(toSlashes(path), options),
    readdirSync(path: string, { withFileTypes, recursive = false }: ReadOptions = {}) {
      if (!withFileTypes)
        return fs
          .readdirSync(toSlashes(path), { recursive, encoding: "utf8" })
          .map((name) => toBackslashes(name))
      const entries = fs.readdirSync(toSlashes(path), { withFileTypes: true, recursive })
      return entries.map((entry: Dirent) =>
        Object.assign(entry, { parentPath: toBackslashes(entry.parentPath) }),
      )
    },
  }
}
