/** Takes out of log lines what would let a reader of the log act as somebody else. */
import { AuthError } from "../errors.ts"
import { createTextRedactor } from "./redact-text.ts"

const mark = "[redacted]"

const secretName =
  /pass|pwd|secret|token|cookie|authorization|^code$|verifier|nonce|^state$|csrf|credential|api_?key|private|assertion|^jti$|session_?id/i
/** A driver keeps the whole statement and its values in such fields. */
const statementName = /parameter|query|sql/i
/** What a `code` of an error looks like, as opposed to a code that somebody is let in with. */
const errorCode = /^[A-Z_a-z\d-]{1,40}$/

/** Most values and characters of one log line: beyond, it is cut. */
const mostValues = 400
const mostCharacters = 32_768
/** Deepest nesting: an error, its facts, the error behind it, and so on. */
const deepest = 10

/** What a log says of an error. */
export interface LoggedError {
  name: string
  message: string
  stack?: string
  /** What to change. */
  hint?: string
  [fact: string]: unknown
}

/** Makes copies for a log: without secrets, on one line, bounded. */
export interface Redactor {
  value(value: unknown): unknown
  /** An error as plain data: name, message, stack, and its own facts, causes included. */
  error(error: Error): LoggedError
}

/** @param known secrets of the request, whatever they look like */
export function createRedactor(known: readonly string[] = []): Redactor {
  const text = createTextRedactor(known)
  let left = mostValues
  let room = mostCharacters

  function counted(line: string): string {
    room -= line.length
    return line
  }

  function value(item: unknown, depth = deepest): unknown {
    left -= 1
    if (typeof item === "string") return room > 0 ? counted(text.line(item)) : "[…]"
    if (typeof item === "function" || typeof item === "symbol") return `[${typeof item}]`
    if (typeof item === "bigint") return String(item)
    if (typeof item !== "object" || item === null || item instanceof Date) return item
    if (depth === 0 || left <= 0 || room <= 0) return "[…]"
    if (ArrayBuffer.isView(item) || item instanceof ArrayBuffer) return "[bytes]"
    if (item instanceof Error) return error(item, depth - 1)
    if (Array.isArray(item)) return item.slice(0, 50).map((each) => value(each, depth - 1))
    return record(Object.entries(item), depth)
  }

  function record(entries: readonly [string, unknown][], depth: number): Record<string, unknown> {
    const named = entries.slice(0, 50).map(([name, item]) => {
      const hidden = secretName.test(name) && item != null && typeof item !== "boolean"
      return [counted(text.line(name)), hidden ? mark : value(item, depth - 1)]
    })
    return Object.fromEntries(named)
  }

  function error(item: Error, depth = deepest): LoggedError {
    const own = Object.entries(item).filter(([name]) => !shownApart.has(name))
    const facts = own.filter(([name]) => !statementName.test(name))
    const code = String((item as { code?: unknown }).code ?? "")
    const stack = counted(text.frames(item))
    return {
      name: text.line(String(item.name)),
      message: counted(text.line(String(item.message))),
      ...(stack === "" ? {} : { stack }),
      ...(errorCode.test(code) ? { code: text.line(code) } : {}),
      ...(item instanceof AuthError ? { hint: text.line(item.hint), docs: item.docs } : {}),
      ...record(facts, depth),
      ...(item.cause === undefined ? {} : { cause: value(item.cause, depth - 1) }),
    }
  }

  return { value: (item) => value(item), error: (item) => error(item) }
}

const shownApart: ReadonlySet<string> = new Set(["name", "message", "stack", "code", "cause"])
