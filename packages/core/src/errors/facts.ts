/** What an error is told, and the message that is made of it. */

/** Facts given to an error: what was expected, what came, what to change, and anything else worth logging. */
export interface ErrorFacts extends Record<string, unknown> {
  /** What should have been there. */
  expected?: string
  /** What was there instead, described so that it may be logged. */
  came?: string
  /** What to change. */
  hint?: string
  /** The original error (standard `Error` option); also reachable as `cause.err`. */
  cause?: unknown
}

type Told = string | Error | ErrorFacts | undefined

/**
 * The message of an error.
 *
 * @param hint what to change, where the facts do not say; for a message that is composed of facts only, because a text
 *   is somebody's own
 */
export function messageOf(first: Told, second: Told, hint: string): string {
  if (first instanceof Error) return first.message
  if (typeof first === "object") return composed({ hint, ...first })
  const facts = second instanceof Error || typeof second !== "object" ? {} : second
  return [first, composed(facts)].filter(Boolean).join(" ")
}

function composed({ expected, came, hint }: ErrorFacts): string {
  const parts = [expected && `Expected ${expected}.`, came && `Came: ${came}.`, hint]
  return parts.filter(Boolean).join(" ")
}
