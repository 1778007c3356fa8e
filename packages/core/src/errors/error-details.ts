/** What an error is told, and the message that is made of it. */

/** Facts given to an error: what was expected, what came, what to change, and anything else worth logging. */
export interface ErrorDetails extends Record<string, unknown> {
  /** What should have been there. */
  expected?: string
  /** What was there instead, described so that it may be logged. */
  received?: string
  /** What to change. */
  hint?: string
  /** The original error (standard `Error` option); also reachable as `cause.err`. */
  cause?: unknown
}

type ErrorInput = string | Error | ErrorDetails | undefined

/**
 * The message of an error.
 *
 * @param hint what to change, where the facts do not say; for a message that is composed of facts only, because a text
 *   is somebody's own
 */
export function createMessage(first: ErrorInput, second: ErrorInput, hint: string): string {
  if (first instanceof Error) return first.message
  if (typeof first === "object") return formatDetails({ hint, ...first })
  const details = second instanceof Error || typeof second !== "object" ? {} : second
  return [first, formatDetails(details)].filter(Boolean).join(" ")
}

function formatDetails({ expected, received, hint }: ErrorDetails): string {
  const parts = [expected && `Expected ${expected}.`, received && `Came: ${received}.`, hint]
  return parts.filter(Boolean).join(" ")
}
