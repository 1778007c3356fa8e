/** A request to a function of the application, which one of its own pages made. */
import { MissingCSRF } from "@latchkey/core/errors"
import { assertSameOrigin, type IntegratedAuth } from "@latchkey/core/integration"
import type { Cookie } from "@latchkey/core/types"
import type { ReactiveAuthConfig } from "./config.ts"
import { getCurrentHeaders, setCookies } from "./cookies.ts"
import { getCurrentEvent, type StartEvent } from "./event.ts"
import { getIntegratedAuth } from "./integrated-auth.ts"
import { getRequestUrl } from "./request-url.ts"
import { sanitizeErrors } from "./sanitize-errors.ts"

/** What a server function knows of its request. */
export interface AuthContext {
  readonly event: StartEvent
  readonly integratedAuth: IntegratedAuth
  /** Of the request, with the cookies that the answer has so far. */
  readonly headers: Headers
  /** As the browser sees it. */
  readonly url: URL
}

/**
 * The request that is being answered. SolidStart runs server functions for whoever calls, from wherever.
 *
 * @throws MissingCSRF when the browser does not say that a page of the application made the request, or for GET
 * @throws TypeError where no request is being answered
 */
export function createSameOriginContext(config: ReactiveAuthConfig): AuthContext {
  const event = getCurrentEvent()
  if (!event) {
    throw new TypeError(
      "No request is being answered here: call this in a server function, before anything that leaves it.",
    )
  }
  const integratedAuth = getIntegratedAuth(config)
  return sanitizeErrors(() => {
    const url = getRequestUrl(event, integratedAuth)
    verifyPostMethod(event)
    assertSameOrigin(event.request.headers, url.origin)
    return { event, integratedAuth, headers: getCurrentHeaders(event), url }
  })
}

/**
 * SolidStart runs server functions for GET requests, too. A page of the own origin makes one for whatever address
 * somebody talked it into: that of an image, or of where to go after a sign-in.
 */
function verifyPostMethod({ request: { method } }: StartEvent): void {
  if (method !== "GET" && method !== "HEAD") return
  throw new MissingCSRF({
    expected: "a POST request",
    received: method,
    hint: "Call this in an action, or in an API route for POST.",
  })
}

/**
 * An answer that leads on, with the cookies of what was done. To be thrown: from a form without JavaScript, SolidStart
 * keeps all fields in a cookie when a function returns something, and version 1 counts a response as something.
 */
export function createRedirectResponse(
  to: string,
  cookies: readonly Cookie[],
  authContext: AuthContext,
): Response {
  const headers = new Headers({ location: getLocation(new URL(to, authContext.url), authContext) })
  addCookies(cookies, authContext)
  return new Response(null, { status: 303, headers })
}

/**
 * Adds the cookies of what was done to the event, and not to a response of our own: SolidStart 1 renders the next page
 * with what it finds there.
 *
 * @throws TypeError when the answer is on its way
 */
export function addCookies(cookies: readonly Cookie[], { event }: AuthContext): void {
  if (setCookies(event, cookies)) return
  throw new TypeError("The answer is on its way, and can set no cookies: call this in an action.")
}

/**
 * A path for a page of the application that a script asked for: its router goes there without loading it. Everything
 * else is to be loaded, and is named in full: SolidStart does not know how the browser sees it.
 */
function getLocation(target: URL, { event, integratedAuth, url }: AuthContext): string {
  const isPage = target.origin === url.origin && !integratedAuth.isActionPath(target.pathname)
  const isScript = event.request.headers.has("x-server-instance")
  // Two slashes at the beginning would be another host.
  if (!isPage || !isScript || target.pathname.startsWith("//")) return target.href
  return target.pathname + target.search + target.hash
}
