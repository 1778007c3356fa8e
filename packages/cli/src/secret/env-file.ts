/** Files of environment variables, as Node.js and most frameworks read them. */
import { appendFileSync, readFileSync } from "node:fs"
import { parseEnv } from "node:util"
import { CommandError } from "../terminal.ts"

/**
 * The names that a file sets; none when there is no file.
 *
 * @throws Refusal when it cannot be read
 */
export function readVariableNames(file: string): ReadonlySet<string> {
  const values = parseEnv(readEnvFile(file))
  return new Set(Object.keys(values).filter((name) => values[name]))
}

/**
 * Adds a variable at the end, on a line of its own.
 *
 * @throws Refusal when the file cannot be written
 */
export function addVariable(file: string, name: string, value: string): void {
  const content = readEnvFile(file)
  const lineBreak = content === "" || content.endsWith("\n") ? "" : "\n"
  try {
    // A new file is its owner's from the first moment: nobody else on this machine has a reason to read it.
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
