/** Takes out of log lines what would let a reader of the log act as somebody else. */

const mark = "[redacted]"

const secretName =
  /pass|secret|token|cookie|authorization|^code$|code_?verifier|verifier|nonce|^state$|csrf|credential|api_?key|private|assertion|^jti$|session_?id/i

/** JWTs and JWEs, hex and base64url of 24 characters and more that hold a digit and a letter. */
const secretShape = /(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{24,}(?:\.[\w-]*){0,4}/g
const schemeCredentials = /\b(Bearer|Basic|DPoP)\s+[\w.~+/=-]+/gi
const urlCredentials = /(\/\/)[^\s/@:]*:[^\s/@]*@/g
const urlQuery = /([?&](?:code|token|state|access_token|id_token|email|code_verifier)=)[^&\s"']+/gi
const controls = /[\p{Cc}\u2028\u2029]/gu

/**
 * A text without what looks like a secret, and without any of the given ones; on one line, so that what a stranger
 * sent cannot start a line of its own.
 */
function redactText(text: string, known: Iterable<string> = []): string {
  let safe = text
  for (const secret of known) safe = safe.replaceAll(secret, mark)
  return safe
    .replace(schemeCredentials, `$1 ${mark}`)
    .replace(urlCredentials, `$1${mark}@`)
    .replace(urlQuery, `$1${mark}`)
    .replace(secretShape, mark)
    .replace(controls, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`)
}

/** A copy of any value for a log: secrets out, depth and width bounded. */
export function redact(value: unknown, known: readonly string[] = [], depth = 5): unknown {
  if (typeof value === "string") return redactText(value.slice(0, 4096), known)
  if (typeof value === "function" || typeof value === "symbol") return `[${typeof value}]`
  if (typeof value === "bigint") return String(value)
  if (typeof value !== "object" || value === null || value instanceof Date) return value
  if (depth === 0) return "[…]"
  if (value instanceof Error) return redactError(value, known, depth - 1)
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => redact(item, known, depth - 1))
  const entries = Object.entries(value).slice(0, 50)
  return Object.fromEntries(
    entries.map(([name, item]) => {
      const hidden = secretName.test(name) && item != null && typeof item !== "boolean"
      return [name, hidden ? mark : redact(item, known, depth - 1)]
    }),
  )
}

/** What a log says of an error. */
export interface LoggedError {
  name: string
  message: string
  stack?: string
  [fact: string]: unknown
}

/** An error as plain data: name, message, stack, and its own facts, causes included. */
export function redactError(error: Error, known: readonly string[] = [], depth = 4): LoggedError {
  const facts: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(error)) {
    // A driver keeps the whole query and its parameters in such fields.
    if (name !== "name" && !/parameter|query|sql/i.test(name)) facts[name] = value
  }
  if (error.cause !== undefined) facts["cause"] = error.cause
  return {
    name: error.name,
    message: redactText(error.message.slice(0, 4096), known),
    ...(error.stack ? { stack: frames(error.stack) } : {}),
    ...(redact(facts, known, depth) as Record<string, unknown>),
  }
}

/** The frames alone: the first lines of a stack repeat the message. */
function frames(stack: string): string {
  const lines = stack.split("\n").filter((line) => /^\s+at /.test(line))
  return lines.slice(0, 12).join("\n")
}
