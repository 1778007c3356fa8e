/** Turns the result of an action into a response. */
import { type ActionOutcome, jsonOutcome } from "../http/action-outcome.ts"
import type { HeaderReader } from "../http/incoming-request.ts"
import { createPlainResponse, type PlainResponse, renderOutcome } from "../http/plain-response.ts"
import type { RawResponse } from "../latchkey-auth.ts"
import type { Logger } from "../logging/logger.ts"
import type { Cookie } from "../types.ts"

/** The outcome of an action with its cookies, and the error that led to it. */
export interface ActionResult {
  readonly outcome: ActionOutcome
  readonly cookies: readonly Cookie[]
  readonly error?: unknown
  /** Redirects even clients that expect redirects as JSON. */
  readonly alwaysRedirects?: true
}

export const serverErrorOutcome: ActionOutcome = jsonOutcome(
  { message: "The server could not answer." },
  500,
)

/** Whether the client expects the target of a redirect as JSON: scripts cannot read it from a redirect. */
export function expectsJsonRedirect(headers: HeaderReader): boolean {
  return headers.has("x-auth-return-redirect")
}

export function toPlainResponse(
  { outcome, cookies, error, alwaysRedirects }: ActionResult,
  requestHeaders: HeaderReader,
  logger: Logger,
): PlainResponse {
  try {
    if (outcome.kind !== "redirect" || alwaysRedirects || !expectsJsonRedirect(requestHeaders))
      return createPlainResponse(renderOutcome(outcome), cookies)
    const content = renderOutcome(jsonOutcome({ url: outcome.to }))
    // The header is for successful redirects only; the body names the error page.
    const location = error === undefined ? { location: outcome.to } : {}
    return createPlainResponse(
      { ...content, headers: { ...content.headers, ...location } },
      cookies,
    )
  } catch (cause) {
    // A configured URL or cookie contains characters that a header cannot carry.
    logger.error(cause)
    return createPlainResponse(renderOutcome(serverErrorOutcome), [])
  }
}

/** Returns the response of the `raw` mode. */
export function toRawResponse({ outcome, cookies }: ActionResult): RawResponse {
  const { status, headers, body } = renderOutcome(outcome)
  const rawResponse = { headers: new Headers(headers), cookies: [...cookies] }
  if (outcome.kind === "redirect") return { ...rawResponse, redirect: outcome.to }
  if (outcome.kind === "json") return { ...rawResponse, status, body: outcome.body }
  return { ...rawResponse, status, ...(body === null ? {} : { body }) }
}
