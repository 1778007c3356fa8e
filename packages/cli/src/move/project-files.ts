/** Finds, reads and writes the files of a project. */

import { isUtf8 } from "node:buffer"
import { execFileSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { CommandError } from "../terminal.ts"
import type { SourceText } from "./source-file.ts"

const sourcePattern =
  /(\.([cm]?[jt]s|[jt]sx|astro|svelte|vue)|(^|\/)(package\.json|pnpm-workspace\.yaml))$/
/** Folders of tools and dependencies, in a project without Git. */
const skippedFolders = /^(\..*|node_modules|build|coverage|dist|out|output)$/

/**
 * Returns the paths of the sources and manifests, relative to the folder: those that Git does not ignore. Links are not
 * followed, because they may lead out of the project.
 */
export function findProjectFiles(folder: string): string[] {
  const realFolder = realpathSync(folder)
  const isOwnFile = (path: string): boolean => {
    const file = join(realFolder, path)
    return existsSync(file) && statSync(file).isFile() && realpathSync(file) === file
  }
  const paths = listGitFiles(folder) ?? [...walkFolder(folder, "")]
  return paths
    .filter((path) => sourcePattern.test(path) && !/(^|\/)node_modules\//.test(path))
    .filter(isOwnFile)
    .sort()
}

/** Returns undefined outside of a Git repository, and in a folder that Git ignores. */
function listGitFiles(folder: string): string[] | undefined {
  const output = runGit(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
  return output ? [...new Set(output.split("\0"))] : undefined
}

function* walkFolder(folder: string, parent: string): Generator<string> {
  for (const entry of readdirSync(join(folder, parent), { withFileTypes: true })) {
    const path = parent === "" ? entry.name : `${parent}/${entry.name}`
    if (!entry.isDirectory()) yield path
    else if (!skippedFolders.test(entry.name)) yield* walkFolder(folder, path)
  }
}

/** Whether files of the folder have changes that are not committed; false outside of a Git repository. */
export function hasUncommittedChanges(folder: string): boolean {
  return Boolean(runGit(folder, "status", "--porcelain", "."))
}

function runGit(folder: string, ...args: readonly string[]): string | undefined {
  try {
    const options = { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28 } as const
    return execFileSync("git", args, { ...options, stdio: ["ignore", "pipe", "ignore"] })
  } catch {
    return // not a repository, or Git is not installed
  }
}

export function readProjectFile(folder: string, path: string): SourceText {
  const bytes = readFileSync(join(folder, path))
  return { path, text: bytes.toString("utf8"), isUtf8: isUtf8(bytes) }
}

/**
 * Replaces a file at once: a crash leaves the old text or the new one.
 *
 * @throws CommandError if it cannot be written
 */
export function replaceProjectFile(folder: string, path: string, text: string): void {
  const file = join(folder, path)
  const temporaryFile = `${file}.latchkey-move`
  try {
    // A file or link of this name may be left from elsewhere. Writing would follow the link.
    rmSync(temporaryFile, { force: true })
    writeFileSync(temporaryFile, text, { mode: statSync(file).mode, flag: "wx" })
    renameSync(temporaryFile, file)
  } catch (cause) {
    // Windows does not replace a file that another program has open.
    rmSync(temporaryFile, { force: true })
    throw createWriteError(path, cause)
  }
}

/**
 * Creates a file and its folders. Never replaces a file, also not one that was created in the meantime.
 *
 * @throws CommandError if it cannot be written
 */
export function createProjectFile(folder: string, path: string, text: string): void {
  const file = join(folder, path)
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text, { flag: "wx" })
  } catch (cause) {
    throw createWriteError(path, cause)
  }
}

function createWriteError(path: string, cause: unknown): CommandError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new CommandError(`${path} cannot be written: ${reason}.`, { cause })
}
