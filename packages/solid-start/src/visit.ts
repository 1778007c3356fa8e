/** A request to a function of the application, which one of its own pages made. */
import { MissingCSRF } from "@latchkey/core/errors"
import { assertOwnOrigin, type Mounted } from "@latchkey/core/mounting"
import type { Cookie } from "@latchkey/core/types"
import { locate } from "./address.ts"
import type { ReactiveAuthConfig } from "./config.ts"
import { currentHeaders, setCookies } from "./cookies.ts"
import { currentEvent, type StartEvent } from "./event.ts"
import { mounted } from "./mounted.ts"
import { openly } from "./outward.ts"

/** What a server function knows of its request. */
export interface Visit {
  readonly event: StartEvent
  readonly mount: Mounted
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
export function ownVisit(config: ReactiveAuthConfig): Visit {
  const event = currentEvent()
  if (!event) {
    throw new TypeError(
      "No request is being answered here: call this in a server function, before anything that leaves it.",
    )
  }
  const mount = mounted(config)
  return openly(() => {
    const url = locate(event, mount)
    assertPosted(event)
    assertOwnOrigin(event.request.headers, url.origin)
    return { event, mount, headers: currentHeaders(event), url }
  })
}

/**
 * SolidStart runs server functions for GET requests, too. A page of the own origin makes one for whatever address
 * somebody talked it into: that of an image, or of where to go after a sign-in.
 */
function assertPosted({ request: { method } }: StartEvent): void {
  if (method !== "GET" && method !== "HEAD") return
  throw new MissingCSRF({
    expected: "a POST request",
    came: method,
    hint: "Call this in an action, or in an API route for POST.",
  })
}

/**
 * An answer that leads on, with the cookies of what was done. To be thrown: from a form without JavaScript, SolidStart
 * keeps all fields in a cookie when a function returns something, and version 1 counts a response as something.
 */
export function leadTo(to: string, cookies: readonly Cookie[], visit: Visit): Response {
  const headers = new Headers({ location: locationOf(new URL(to, visit.url), visit) })
  leaveCookies(cookies, visit)
  return new Response(null, { status: 303, headers })
}

/**
 * Adds the cookies of what was done to the event, and not to a response of our own: SolidStart 1 renders the next page
 * with what it finds there.
 *
 * @throws TypeError when the answer is on its way
 */
export function leaveCookies(cookies: readonly Cookie[], { event }: Visit): void {
  if (setCookies(event, cookies)) return
  throw new TypeError("The answer is on its way, and can set no cookies: call this in an action.")
}

/**
 * A path for a page of the application that a script asked for: its router goes there without loading it. Everything
 * else is to be loaded, and is named in full: SolidStart does not know how the browser sees it.
 */
function locationOf(target: URL, { event, mount, url }: Visit): string {
  const isPage = target.origin === url.origin && !mount.serves(target.pathname)
  const isScript = event.request.headers.has("x-server-instance")
  // Two slashes at the beginning would be another host.
  if (!isPage || !isScript || target.pathname.startsWith("//")) return target.href
  return target.pathname + target.search + target.hash
}
