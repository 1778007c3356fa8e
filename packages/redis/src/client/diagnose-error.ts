import type { DatabaseErrorCode } from "@latchkey/core/adapter-kit"

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
  const message = error instanceof Error ? error.message : ""
  const [word] = replyCodePattern.exec(message) ?? []
  if (word !== undefined) return diagnoseReply(word, message)
  const detail = readErrorName(error)
  const description = `${detail} ${message}`
  if (/timed? ?out/i.test(description) && !/connect/i.test(description))
    return { code: "timeout", detail }
  if (error instanceof TypeError) return { code: "failed", detail }
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
  if (!(error instanceof Error)) return ""
  if ("code" in error && typeof error.code === "string") return error.code
  return error.name === "Error" ? error.constructor.name : error.name
}

/** Whether Redis does not have the script cached. */
export function isUnknownScriptError(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("NOSCRIPT")
}
