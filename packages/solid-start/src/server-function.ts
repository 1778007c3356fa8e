/** Calls from server functions, on behalf of the user whose browser sent the request. */
import { MissingCSRF } from "@latchkey/core/errors"
import { type AuthContext, assertSameOrigin, getRedirectLocation } from "@latchkey/core/integration"
import type { ReactiveAuthConfig } from "./config.ts"
import { getCurrentEvent, type StartEvent } from "./event.ts"
import { createAuthContext } from "./integrated-auth.ts"
import { sanitizeAsyncErrors, sanitizeErrors } from "./sanitize-errors.ts"

/**
 * Runs an operation for the current request, if a page of the application sent it. SolidStart itself runs server
 * functions for requests from anywhere.
 *
 * @throws MissingCSRF when the browser does not say that a page of the application made the request, or for GET
 * @throws TypeError when there is no current request
 */
export function runForRequest<T>(
  config: ReactiveAuthConfig,
  operation: (context: AuthContext) => Promise<T>,
): Promise<T> {
  const event = requireCurrentEvent()
  const context = createAuthContext(event, config)
  sanitizeErrors(() => {
    const { origin } = context.url
    assertPostMethod(event)
    assertSameOrigin(event.request.headers, origin)
  })
  return sanitizeAsyncErrors(operation(context))
}

/**
 * Runs an operation that leads to another page, and throws the redirect. It is thrown because of forms without
 * JavaScript: if a function returns something, SolidStart stores all their fields in a cookie, and version 1 does so
 * for a returned response, too.
 */
export async function redirectAfter(
  config: ReactiveAuthConfig,
  operation: (context: AuthContext) => Promise<string>,
): Promise<never> {
  throw await runForRequest(config, async (context) =>
    createRedirect(await operation(context), context),
  )
}

/** Creates a redirect. The cookies are on the event. SolidStart 1 renders the next page with what it finds there. */
export function createRedirect(url: string, context: AuthContext): Response {
  const headers = { location: getLocation(url, context) }
  return new Response(null, { status: 303, headers })
}

function requireCurrentEvent(): StartEvent {
  const event = getCurrentEvent()
  if (event) return event
  throw new TypeError(
    "There is no current request: call this in a server function, before its first asynchronous call.",
  )
}

/**
 * SolidStart also runs server functions for GET requests. An attacker can make a page of the application send one, for
 * example as the address of an image or as the target after a sign-in.
 */
function assertPostMethod({ request: { method } }: StartEvent): void {
  if (method !== "GET" && method !== "HEAD") return
  throw new MissingCSRF({
    expected: "a POST request",
    received: method,
    hint: "Call this in an action, or in an API route for POST.",
  })
}

/**
 * Returns a path for a page of the application if a script sent the request, because its router opens pages without
 * loading them. Other targets get an absolute URL, because SolidStart does not know the origin that the browser sees.
 */
function getLocation(redirect: string, { url, headers, integratedAuth }: AuthContext): string {
  const target = new URL(redirect, url)
  const isScript = headers.get("x-server-instance") !== null
  return isScript && !integratedAuth.isActionPath(target.pathname)
    ? getRedirectLocation(target, url.origin)
    : target.href
}
