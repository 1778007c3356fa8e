/** The servers that the tests start for themselves: Debian's packages have them. */
import { execFileSync } from "node:child_process"
import { accessSync, constants, globSync } from "node:fs"
import { delimiter, join } from "node:path"

/** Where Debian has programs that are not in everybody's path. */
const extraFolders = [
  "/usr/sbin",
  "/usr/local/sbin",
  ...globSync("/usr/lib/postgresql/*/bin").sort().reverse(),
]

/** The path of a program; undefined where it is not installed. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...extraFolders]
  return folders.map((folder) => join(folder, name)).find(isProgram)
}

/**
 * Whether all programs of a server are there. Where one is missing, its tests are skipped, and say so.
 *
 * @throws Error where CI=true asks for all of them
 */
export function areInstalled(...names: readonly string[]): boolean {
  const missing = names.filter((name) => findProgram(name) === undefined)
  if (missing.length === 0) return true
  const message = `Not installed: ${missing.join(", ")}`
  if (process.env["CI"] === "true") throw new Error(message)
  console.warn(`${message}. Tests that need it are skipped.`)
  return false
}

/** Who a server runs as. */
export interface ProcessAccount {
  readonly uid?: number
  readonly gid?: number
}

/** Database servers refuse to run as root: they get the account that their package made. Others run as who we are. */
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
