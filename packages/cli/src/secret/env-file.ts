/** Reads and extends files of environment variables, in the format of Node.js and most frameworks. */
import { appendFileSync, readFileSync } from "node:fs"
import { parseEnv } from "node:util"
import { CommandError } from "../terminal.ts"
import { findLineBreak, removeByteOrderMark } from "../text.ts"

/**
 * Returns the names of the variables in a file; none if the file does not exist.
 *
 * @throws CommandError if it cannot be read
 */
export function readVariableNames(file: string): ReadonlySet<string> {
  const values = readVariables(file)
  return new Set(Object.keys(values).filter((name) => values[name]))
}

/**
 * Sets the variables of a file that the process lacks.
 *
 * @throws CommandError if it cannot be read
 */
export function loadEnvFile(file: string): void {
  for (const [name, value] of Object.entries(readVariables(file))) process.env[name] ??= value
}

/**
 * Returns the variables of a file; none if the file does not exist. A byte order mark, which some editors on Windows write,
 * is not part of the first name: most frameworks read files in this way.
 *
 * @throws CommandError if it cannot be read
 */
export function readVariables(file: string): NodeJS.Dict<string> {
  return parseEnv(removeByteOrderMark(readEnvFile(file)))
}

/**
 * Adds a variable on a new line at the end.
 *
 * @throws CommandError if the file cannot be written
 */
export function addVariable(file: string, name: string, value: string): void {
  const content = readEnvFile(file)
  const lineBreak = findLineBreak(content)
  const lastEnd = content === "" || content.endsWith("\n") ? "" : lineBreak
  try {
    // Only its owner can read a new file, from the start.
    appendFileSync(file, `${lastEnd}${name}="${value}"${lineBreak}`, { mode: 0o600 })
  } catch (cause) {
    throw new CommandError(`${file} cannot be written: ${getErrorCode(cause)}.`, { cause })
  }
}

function readEnvFile(file: string): string {
  const bytes = readBytes(file)
  // The operator `>` of Windows PowerShell writes UTF-16, in which every other byte is zero.
  if (!bytes.includes(0)) return bytes.toString("utf8")
  throw new CommandError(`${file} is UTF-16, which Node.js cannot read. ${encodingHint}`)
}

export const encodingHint = "Save it as UTF-8, without a byte order mark (BOM)."

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    if (getErrorCode(cause) === "ENOENT") return Buffer.alloc(0)
    throw new CommandError(`${file} cannot be read: ${getErrorCode(cause)}.`, { cause })
  }
}

function getErrorCode(error: unknown): string {
  const code: unknown = typeof error === "object" && error !== null && "code" in error && error.code
  return typeof code === "string" ? code : String(error)
}
