/** Removes from log lines whatever would let a reader of the log impersonate a user. */
import { composedErrors } from "../errors/composed-errors.ts"
import { AuthError } from "../errors.ts"
import { isDate, isError, isObject } from "../objects.ts"
import { createTextRedactor, redactionMarker, type TextRedactor } from "./redact-text.ts"

const secretNamePattern =
  /pass|pwd|secret|token|cookie|authorization|^code$|verifier|nonce|^state$|csrf|credential|api_?key|private|assertion|^jti$|session_?id/i
/** Database drivers keep the statement and its values in such fields. */
const statementNamePattern = /parameter|query|sql/i
/** Fields of the library's own errors with a sentence, or with a name that is in URLs and in the source. */
const ownFields = /^(?:type|kind|expected|received|hint|option|provider|method|event|action)$/
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
export interface Redactor extends Pick<TextRedactor, "redactSentence"> {
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
    if (typeof item !== "object" || item === null || isDate(item)) return item
    if (depth === 0 || remainingValues <= 0 || remainingCharacters <= 0) return "[…]"
    if (ArrayBuffer.isView(item)) return "[bytes]"
    if (isError(item)) return redactError(item, depth - 1)
    if (Array.isArray(item)) return item.slice(0, 50).map((each) => redactValue(each, depth - 1))
    return redactEntries(Object.entries(item), depth)
  }

  function redactEntries(
    entries: readonly [string, unknown][],
    depth: number,
    isOwn = false,
  ): Record<string, unknown> {
    const redactedEntries = entries.slice(0, 50).map(([name, item]) => {
      if (isOwn && ownFields.test(name) && typeof item === "string")
        return [name, countCharacters(text.redactSentence(item))]
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
    const isOwn = composedErrors.has(item)
    const redactMessage = isOwn ? text.redactSentence : text.redactLine
    const { cause } = item
    const redactedCause =
      isOwn && isObject(cause)
        ? redactEntries(Object.entries(cause), depth - 1, true)
        : redactValue(cause, depth - 1)
    return {
      // The name of a class comes from the code, and may contain what a user typed as a password.
      name: item.name === item.constructor?.name ? item.name : text.redactLine(String(item.name)),
      message: countCharacters(redactMessage(String(item.message))),
      ...(stack === "" ? {} : { stack }),
      ...(errorCodePattern.test(code) ? { code: text.redactLine(code) } : {}),
      ...(item instanceof AuthError
        ? { hint: redactHint(item, redactMessage), docs: item.docs }
        : {}),
      ...redactEntries(details, depth, item instanceof AuthError),
      ...(cause === undefined ? {} : { cause: redactedCause }),
    }
  }

  return {
    redactSentence: text.redactSentence,
    redactValue: (item) => redactValue(item),
    redactError: (item) => redactError(item),
  }
}

/** Redacts the hint of an error. That of its class contains no values. */
export function redactHint(error: AuthError, redact: (text: string) => string): string {
  const { hint } = error
  return hint === (error.constructor as typeof AuthError).hint ? hint : redact(hint)
}

const handledFields: ReadonlySet<string> = new Set(["name", "message", "stack", "code", "cause"])
