/** What a request came to, and how it is answered. */
import type { RawResponse } from "../api.ts"
import type { Log } from "../config/log.ts"
import { json, type Outcome } from "../http/outcome.ts"
import { type Answer, answerWith, contentOf } from "../http/respond.ts"
import type { Cookie } from "../types.ts"

/** What an action came to: an outcome with its cookies, and the error behind it if there was one. */
export interface Settled {
  readonly outcome: Outcome
  readonly cookies: readonly Cookie[]
  readonly error?: unknown
  /** The answer is the same for a client that asked to be told where to go. */
  readonly unchanged?: true
}

/** Nothing better can be said. */
export const fault: Outcome = json({ message: "The server could not answer." }, 500)

/** The answer to a browser, or to a client that wants to be told where to go. */
export function write(settled: Settled, asJson: boolean, log: Log): Answer {
  const { outcome, cookies, error } = settled
  try {
    const content = contentOf(outcome, asJson)
    // A client that is told where to go is not told twice when that is an error page.
    const told = error !== undefined && asJson && outcome.kind === "redirect"
    if (!told) return answerWith(content, cookies)
    const { location: _, ...headers } = content.headers
    return answerWith({ ...content, headers }, cookies)
  } catch (cause) {
    // What the application configured cannot be written as a header.
    log.error(cause)
    return answerWith(contentOf(fault, false), [])
  }
}

/** The answer in `raw` mode. */
export function rawOf({ outcome, cookies }: Settled): RawResponse {
  const { status, headers, body } = contentOf(outcome, false)
  const shape = { headers: new Headers(headers), cookies: [...cookies] }
  if (outcome.kind === "redirect") return { ...shape, redirect: outcome.to }
  if (outcome.kind === "json") return { ...shape, status, body: outcome.body }
  return { ...shape, status, ...(body === null ? {} : { body }) }
}
