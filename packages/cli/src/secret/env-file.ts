/** Files of environment variables, as Node.js and most frameworks read them. */
import { appendFileSync, readFileSync } from "node:fs"
import { parseEnv } from "node:util"
import { Refusal } from "../terminal.ts"

/**
 * The names that a file sets; none when there is no file.
 *
 * @throws Refusal when it cannot be read
 */
export function variablesOf(file: string): ReadonlySet<string> {
  const values = parseEnv(contentOf(file))
  return new Set(Object.keys(values).filter((name) => values[name]))
}

/**
 * Adds a variable at the end, on a line of its own.
 *
 * @throws Refusal when the file cannot be written
 */
export function addVariable(file: string, name: string, value: string): void {
  const content = contentOf(file)
  const lineBreak = content === "" || content.endsWith("\n") ? "" : "\n"
  try {
    // A new file is its owner's from the first moment: nobody else on this machine has a reason to read it.
    appendFileSync(file, `${lineBreak}${name}="${value}"\n`, { mode: 0o600 })
  } catch (cause) {
    throw new Refusal(`${file} cannot be written: ${reasonOf(cause)}.`, { cause })
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch (cause) {
    if (reasonOf(cause) === "ENOENT") return ""
    throw new Refusal(`${file} cannot be read: ${reasonOf(cause)}.`, { cause })
  }
}

function reasonOf(error: unknown): string {
  const code: unknown = typeof error === "object" && error !== null && "code" in error && error.code
  return typeof code === "string" ? code : String(error)
}
