import type { RedisErrorCode } from "../errors.ts"

/** What a driver's error means. */
export interface Diagnosis {
  readonly code: RedisErrorCode
  /** Without any value: neither keys nor arguments, neither user names nor addresses. */
  readonly detail: string
}

const codesByMessage: readonly (readonly [RegExp, RedisErrorCode])[] = [
  [/\b(?:NOPERM|NOAUTH|WRONGPASS)\b/, "refused"],
  [/\bOOM\b/, "full"],
  [/\b(?:READONLY|MISCONF)\b/, "read-only"],
  [/\bWRONGTYPE\b/, "name-taken"],
  [/\b(?:MOVED|ASK|CROSSSLOT)\b/, "cluster"],
  [/\b(?:LOADING|MASTERDOWN|CLUSTERDOWN|BUSY|TRYAGAIN|NOREPLICAS)\b/, "unavailable"],
]

/** Redis begins what it has to say of a fault with a word in capitals; drivers do not. */
const replyCodePattern = /^[A-Z][A-Z0-9]+(?= |$)/

/** Finds out what an error means that a driver threw. */
export function diagnoseError(error: unknown): Diagnosis {
  const message = error instanceof Error ? error.message : ""
  const [word] = replyCodePattern.exec(message) ?? []
  if (word !== undefined) return diagnoseReply(word, message)
  const detail = readErrorName(error)
  const description = `${detail} ${message}`
  if (/timed? ?out/i.test(description) && !/connect/i.test(description))
    return { code: "timeout", detail }
  if (error instanceof TypeError) return { code: "failed", detail }
  return { code: "unavailable", detail }
}

function diagnoseReply(word: string, message: string): Diagnosis {
  const known = codesByMessage.find(([pattern]) => pattern.test(message))
  if (known) {
    const [found = word] = known[0].exec(message) ?? []
    return { code: known[1], detail: found }
  }
  // What stands in quotes may have been sent by us.
  const [unquotedMessage = word] = message.split(/['"`]/)
  return { code: "failed", detail: unquotedMessage.trim().slice(0, 120) }
}

/** The code of the system, such as ECONNREFUSED, or else the name of the driver's class. */
function readErrorName(error: unknown): string {
  if (!(error instanceof Error)) return ""
  if ("code" in error && typeof error.code === "string") return error.code
  return error.name === "Error" ? error.constructor.name : error.name
}

/** Redis has not seen the script since it started. */
export function isUnknownScriptError(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("NOSCRIPT")
}
