import type { DatabaseErrorCode } from "@latchkey/adapter-kit"

/** The failure that a driver's error reports. */
export interface Diagnosis {
  readonly code: DatabaseErrorCode
  /** Contains no values: no keys, arguments, user names or addresses. */
  readonly detail: string
}

const codesByMessage: readonly (readonly [RegExp, DatabaseErrorCode])[] = [
  [/\b(?:NOPERM|NOAUTH|WRONGPASS|user executing the script)\b/, "refused"],
  [/\bOOM\b/, "full"],
  [/\b(?:READONLY|MISCONF)\b/, "read-only"],
  [/\bWRONGTYPE\b/, "name-taken"],
  [/\b(?:MOVED|ASK|CROSSSLOT)\b/, "cluster"],
  [/\b(?:LOADING|MASTERDOWN|CLUSTERDOWN|BUSY|TRYAGAIN|NOREPLICAS)\b/, "unreachable"],
]

/** Errors of Redis begin with a word in capitals; errors of drivers do not. */
const replyCodePattern = /^[A-Z][A-Z0-9]+(?= |$)/

/** Identifies the failure that a driver's error reports. */
export function diagnoseError(error: unknown): Diagnosis {
  const message = readText(error, "message")
  const [word] = replyCodePattern.exec(message) ?? []
  if (word !== undefined) return diagnoseReply(word, message)
  const detail = readErrorName(error)
  const description = `${detail} ${message}`
  if (/timed? ?out/i.test(description) && !/connect/i.test(description))
    return { code: "timeout", detail }
  if (detail === "TypeError") return { code: "failed", detail }
  return { code: "unreachable", detail }
}

function diagnoseReply(word: string, message: string): Diagnosis {
  const known = codesByMessage.find(([pattern]) => pattern.test(message))
  if (known) {
    const [found = word] = known[0].exec(message) ?? []
    return { code: known[1], detail: found }
  }
  // Quoted text may repeat what was sent.
  const [unquotedMessage = word] = message.split(/['"`]/)
  return { code: "failed", detail: unquotedMessage.trim().slice(0, 120) }
}

/** Returns the system's error code, such as ECONNREFUSED, or the name of the driver's error class. */
function readErrorName(error: unknown): string {
  const code = readText(error, "code")
  if (code) return code
  const name = readText(error, "name")
  return name === "Error" ? Object(error).constructor.name : name
}

function readText(error: unknown, field: string): string {
  const value: unknown = Object(error)[field]
  return typeof value === "string" ? value : ""
}

/** Whether Redis does not have the script cached. */
export function isUnknownScriptError(error: unknown): boolean {
  return readText(error, "message").startsWith("NOSCRIPT")
}
