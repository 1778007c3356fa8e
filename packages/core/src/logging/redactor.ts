/** Removes from log lines whatever would let a reader of the log impersonate a user. */
import { AuthError } from "../errors.ts"
import { createTextRedactor, redactionMarker } from "./redact-text.ts"

const secretNamePattern =
  /pass|pwd|secret|token|cookie|authorization|^code$|verifier|nonce|^state$|csrf|credential|api_?key|private|assertion|^jti$|session_?id/i
/** Database drivers keep the statement and its values in such fields. */
const statementNamePattern = /parameter|query|sql/i
/** Matches the `code` of an error, but not an authorization code. */
const errorCodePattern = /^[A-Z_a-z\d-]{1,40}$/

/** The maximum numbers of values and characters in a log line; the rest is cut. */
const maxValues = 400
const maxCharacters = 32_768
/** The maximum nesting: an error, its details, its cause, and so on. */
const maxDepth = 10

/** An error as it is logged. */
export interface LoggedError {
  name: string
  message: string
  stack?: string
  hint?: string
  [field: string]: unknown
}

/** Copies values for a log: without secrets, on one line, and bounded in size. */
export interface Redactor {
  redactValue(value: unknown): unknown
  /** Returns an error as plain data: name, message, stack and its own fields, causes included. */
  redactError(error: Error): LoggedError
}

/** @param knownSecrets secrets of the configuration and the request */
export function createRedactor(knownSecrets: readonly string[] = []): Redactor {
  const text = createTextRedactor(knownSecrets)
  let remainingValues = maxValues
  let remainingCharacters = maxCharacters

  function countCharacters(line: string): string {
    remainingCharacters -= line.length
    return line
  }

  function redactValue(item: unknown, depth = maxDepth): unknown {
    remainingValues -= 1
    if (typeof item === "string")
      return remainingCharacters > 0 ? countCharacters(text.redactLine(item)) : "[…]"
    if (typeof item === "function" || typeof item === "symbol") return `[${typeof item}]`
    if (typeof item === "bigint") return String(item)
    if (typeof item !== "object" || item === null || item instanceof Date) return item
    if (depth === 0 || remainingValues <= 0 || remainingCharacters <= 0) return "[…]"
    if (ArrayBuffer.isView(item) || item instanceof ArrayBuffer) return "[bytes]"
    if (item instanceof Error) return redactError(item, depth - 1)
    if (Array.isArray(item)) return item.slice(0, 50).map((each) => redactValue(each, depth - 1))
    return redactEntries(Object.entries(item), depth)
  }

  function redactEntries(
    entries: readonly [string, unknown][],
    depth: number,
  ): Record<string, unknown> {
    const redactedEntries = entries.slice(0, 50).map(([name, item]) => {
      const isSecret = secretNamePattern.test(name) && item != null && typeof item !== "boolean"
      return [
        countCharacters(text.redactLine(name)),
        isSecret ? redactionMarker : redactValue(item, depth - 1),
      ]
    })
    return Object.fromEntries(redactedEntries)
  }

  function redactError(item: Error, depth = maxDepth): LoggedError {
    const details = Object.entries(item).filter(
      ([name]) => !handledFields.has(name) && !statementNamePattern.test(name),
    )
    const code = String((item as { code?: unknown }).code ?? "")
    const stack = countCharacters(text.redactStack(item))
    return {
      // The name of a class comes from the code, and may contain what a user typed as a password.
      name: item.name === item.constructor?.name ? item.name : text.redactLine(String(item.name)),
      message: countCharacters(text.redactLine(String(item.message))),
      ...(stack === "" ? {} : { stack }),
      ...(errorCodePattern.test(code) ? { code: text.redactLine(code) } : {}),
      ...(item instanceof AuthError ? { hint: text.redactLine(item.hint), docs: item.docs } : {}),
      ...redactEntries(details, depth),
      ...(item.cause === undefined ? {} : { cause: redactValue(item.cause, depth - 1) }),
    }
  }

  return { redactValue: (item) => redactValue(item), redactError: (item) => redactError(item) }
}

const handledFields: ReadonlySet<string> = new Set(["name", "message", "stack", "code", "cause"])
