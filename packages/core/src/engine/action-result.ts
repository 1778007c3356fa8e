/** What a request came to, and how it is answered. */

import { type ActionOutcome, jsonOutcome } from "../http/action-outcome.ts"
import { createPlainResponse, type PlainResponse, renderOutcome } from "../http/plain-response.ts"
import type { RawResponse } from "../latchkey-auth.ts"
import type { Logger } from "../logging/logger.ts"
import type { Cookie } from "../types.ts"

/** What an action came to: an outcome with its cookies, and the error behind it if there was one. */
export interface ActionResult {
  readonly outcome: ActionOutcome
  readonly cookies: readonly Cookie[]
  readonly error?: unknown
  /** The answer is the same for a client that asked to be told where to go. */
  readonly alwaysRedirects?: true
}

/** Nothing better can be said. */
export const serverErrorOutcome: ActionOutcome = jsonOutcome(
  { message: "The server could not answer." },
  500,
)

/** The answer to a browser, or to a client that wants to be told where to go. */
export function serializeResult(result: ActionResult, asJson: boolean, log: Logger): PlainResponse {
  const { outcome, cookies, error } = result
  try {
    const content = renderOutcome(outcome, asJson)
    // A client that is told where to go is not told twice when that is an error page.
    const isErrorRedirect = error !== undefined && asJson && outcome.kind === "redirect"
    if (!isErrorRedirect) return createPlainResponse(content, cookies)
    const { location: _, ...headers } = content.headers
    return createPlainResponse({ ...content, headers }, cookies)
  } catch (cause) {
    // What the application configured cannot be written as a header.
    log.error(cause)
    return createPlainResponse(renderOutcome(serverErrorOutcome, false), [])
  }
}

/** The answer in `raw` mode. */
export function toRawResponse({ outcome, cookies }: ActionResult): RawResponse {
  const { status, headers, body } = renderOutcome(outcome, false)
  const rawResponse = { headers: new Headers(headers), cookies: [...cookies] }
  if (outcome.kind === "redirect") return { ...rawResponse, redirect: outcome.to }
  if (outcome.kind === "json") return { ...rawResponse, status, body: outcome.body }
  return { ...rawResponse, status, ...(body === null ? {} : { body }) }
}
