/** Server programs that the tests start, from Debian's packages. */
import { execFileSync } from "node:child_process"
import { accessSync, constants, globSync } from "node:fs"
import { delimiter, join } from "node:path"

/** Folders in which Debian installs programs outside of the usual path. */
const extraFolders = [
  "/usr/sbin",
  "/usr/local/sbin",
  ...globSync("/usr/lib/postgresql/*/bin").sort().reverse(),
]

/** Returns the path of a program; undefined if it is not installed. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...extraFolders]
  return folders.map((folder) => join(folder, name)).find(isProgram)
}

/**
 * Whether all programs of a server are installed. If one is missing, its tests are skipped with a message.
 *
 * @throws Error with CI=true if one is missing
 */
export function areInstalled(...names: readonly string[]): boolean {
  const missing = names.filter((name) => findProgram(name) === undefined)
  if (missing.length === 0) return true
  const message = `Not installed: ${missing.join(", ")}`
  if (process.env["CI"] === "true") throw new Error(message)
  console.warn(`${message}. Tests that need it are skipped.`)
  return false
}

/** The account that a server runs as. */
export interface ProcessAccount {
  readonly uid?: number
  readonly gid?: number
}

/**
 * Database servers refuse to run as root, so they use the account of their package. Otherwise returns the current user.
 */
export function readAccount(name: string): ProcessAccount {
  if (process.getuid?.() !== 0) return {}
  const number = (flag: string) => Number(execFileSync("id", [flag, name], { encoding: "utf8" }))
  return { uid: number("-u"), gid: number("-g") }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
