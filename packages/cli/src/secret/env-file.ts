/** Reads and extends files of environment variables, in the format of Node.js and most frameworks. */
import { appendFileSync, readFileSync } from "node:fs"
import { parseEnv } from "node:util"
import { CommandError } from "../terminal.ts"

/**
 * Returns the names of the variables in a file; none if the file does not exist.
 *
 * @throws CommandError if it cannot be read
 */
export function readVariableNames(file: string): ReadonlySet<string> {
  const values = parseEnv(readEnvFile(file))
  return new Set(Object.keys(values).filter((name) => values[name]))
}

/**
 * Adds a variable on a new line at the end.
 *
 * @throws CommandError if the file cannot be written
 */
export function addVariable(file: string, name: string, value: string): void {
  const content = readEnvFile(file)
  const lineBreak = content === "" || content.endsWith("\n") ? "" : "\n"
  try {
    // Only its owner can read a new file, from the start.
    appendFileSync(file, `${lineBreak}${name}="${value}"\n`, { mode: 0o600 })
  } catch (cause) {
    throw new CommandError(`${file} cannot be written: ${getErrorCode(cause)}.`, { cause })
  }
}

function readEnvFile(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch (cause) {
    if (getErrorCode(cause) === "ENOENT") return ""
    throw new CommandError(`${file} cannot be read: ${getErrorCode(cause)}.`, { cause })
  }
}

function getErrorCode(error: unknown): string {
  const code: unknown = typeof error === "object" && error !== null && "code" in error && error.code
  return typeof code === "string" ? code : String(error)
}
