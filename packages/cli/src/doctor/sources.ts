/** Reads the sources of the application. */
import { existsSync, readFileSync, statSync } from "node:fs"
import { findProjectFiles } from "../move/project-files.ts"

/** A file of the application, without the comments that take whole lines. */
export interface Source {
  readonly file: string
  readonly text: string
}

/** Longer files are generated. In bytes. */
const maxSourceSize = 500_000

/** Reads the sources of the application in the current folder; none if the folder has no `package.json`. */
export function readSources(): readonly Source[] {
  if (!existsSync("package.json")) return []
  return findProjectFiles(".")
    .filter((file) => !file.endsWith("package.json") && statSync(file).size <= maxSourceSize)
    .map((file) => ({ file, text: readSource(file) }))
}

export function readSource(file: string): string {
  return readFileSync(file, "utf8").replace(/^\s*(?:\/\/|\/?\*).*$/gm, "")
}

/** A mount in the sources of the application. */
export interface Mount {
  /** The path that requests to the actions begin with. */
  readonly path: string
  /** The file that mounts the actions. */
  readonly file: string
}
