/** Turns the result of an action into a response. */
import { TooManyRequests } from "../errors.ts"
import {
  type ActionOutcome,
  createPlainResponse,
  jsonOutcome,
  type PlainResponse,
  type ResponseContent,
  renderOutcome,
} from "../http/action-outcome.ts"
import type { HeaderReader } from "../http/incoming-request.ts"
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
  return headers.get("x-auth-return-redirect") !== null
}

export function toPlainResponse(
  { outcome, cookies, error, alwaysRedirects }: ActionResult,
  requestHeaders: HeaderReader,
  logger: Logger,
): PlainResponse {
  try {
    if (outcome.kind !== "redirect" || alwaysRedirects || !expectsJsonRedirect(requestHeaders))
      return createPlainResponse(render(outcome, error), cookies)
    const status = error instanceof TooManyRequests ? 429 : 200
    const content = render(jsonOutcome({ url: outcome.to }, status), error)
    // The header is for successful redirects only; the body names the error page.
    const location = error === undefined ? { location: outcome.to } : {}
    return createPlainResponse({ ...content, ...location }, cookies)
  } catch (cause) {
    // A configured URL or cookie contains characters that a header cannot carry.
    logger.error(cause)
    return createPlainResponse(renderOutcome(serverErrorOutcome), [])
  }
}

/** Renders an outcome, with the header that says when to try again (RFC 9110 section 10.2.3). */
function render(outcome: ActionOutcome, error: unknown): ResponseContent {
  const content = renderOutcome(outcome)
  const retryAfter = error instanceof TooManyRequests ? error.retryAfter : undefined
  if (retryAfter === undefined) return content
  return { ...content, headers: { ...content.headers, "retry-after": `${retryAfter}` } }
}

/** Returns the response of the `raw` mode. */
export function toRawResponse({ outcome, cookies, error }: ActionResult): RawResponse {
  const { status, headers, location, body } = render(outcome, error)
  const rawResponse = { headers: new Headers(headers), cookies: [...cookies] }
  if (location !== undefined) rawResponse.headers.set("location", location)
  if (outcome.kind === "redirect") return { ...rawResponse, redirect: outcome.to }
  if (outcome.kind === "json") return { ...rawResponse, status, body: outcome.body }
  return { ...rawResponse, status, ...(body === null ? {} : { body }) }
}
