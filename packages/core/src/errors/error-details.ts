/** The details of errors, and the messages composed of them. */

/** The details of an error: what was expected, what was received, how to fix it, and anything else to log. */
export interface ErrorDetails extends Record<string, unknown> {
  /** The expected value or event. */
  expected?: string
  /** The actual value or event, described without secrets. */
  received?: string
  /** How to fix the error. */
  hint?: string
  /** The original error (standard `Error` option); also reachable as `cause.err`. */
  cause?: unknown
}

type ErrorInput = string | Error | ErrorDetails | undefined

/**
 * Composes the message of an error.
 *
 * @param hint the hint if the details have none. It is not added to a message that is a string.
 */
export function createMessage(first: ErrorInput, second: ErrorInput, hint: string): string {
  if (first instanceof Error) return first.message
  if (typeof first === "object") return formatDetails({ hint, ...first })
  const details = second instanceof Error || typeof second !== "object" ? {} : second
  return [first, formatDetails(details)].filter(Boolean).join(" ")
}

function formatDetails({ expected, received, hint }: ErrorDetails): string {
  const parts = [expected && `Expected ${expected}.`, received && `Received: ${received}.`, hint]
  return parts.filter(Boolean).join(" ")
}
