/** The hook: answers the requests to the library, and tells all others who is signed in. */
import { noStore } from "@latchkey/core/integration"
import { isRedirect, type RequestEvent } from "@sveltejs/kit"
import type { AuthContext, GetAuthContext } from "./auth-context.ts"
import { building } from "./kit.ts"
import { type AuthLocals, createLocals, signedOutLocals } from "./locals.ts"

/** A `handle` hook. Described, not imported: SvelteKit 2 and 3 have the type in different modules. */
export type AuthHandle = (input: {
  event: RequestEvent
  resolve: (event: RequestEvent) => Response | Promise<Response>
}) => Promise<Response>

/** Creates the hook. */
export function createHandle(getAuthContext: GetAuthContext): AuthHandle {
  return async ({ event, resolve }) => {
    let authContext: Promise<AuthContext> | undefined
    const getAuthContextOnce = (): Promise<AuthContext> => {
      authContext ??= getAuthContext(event)
      return authContext
    }
    const locals: AuthLocals = building ? signedOutLocals : createLocals(getAuthContextOnce)
    Object.assign(event.locals, locals)
    if (building) return resolve(event)
    // The router's own requests are for the data of pages.
    if (!event.isDataRequest) {
      const { integratedAuth } = await getAuthContextOnce()
      const { pathname } = new URL(event.request.url)
      if (integratedAuth.isActionPath(pathname)) return integratedAuth.handle(event.request)
    }
    // Whoever asked was told what is wrong with the configuration.
    const hasSetCookies = async () =>
      (await authContext?.catch(() => undefined))?.cookies.hasCookies === true
    let response: Response
    try {
      response = await resolve(event)
    } catch (thrown) {
      throw (await hasSetCookies()) ? toUncacheableRedirect(thrown) : thrown
    }
    return (await hasSetCookies()) ? withNoStore(response) : response
  }
}

/**
 * What a hook after this one threw. SvelteKit makes the answer of it, cookies included, and takes no header from here: a
 * redirect that caches keep of themselves (RFC 9110 section 15.4) becomes one that they do not.
 */
function toUncacheableRedirect(thrown: unknown): unknown {
  if (!isRedirect(thrown)) return thrown
  if (thrown.status === 301) thrown.status = 302
  if (thrown.status === 308) thrown.status = 307
  return thrown
}

/** An answer that no cache keeps. */
function withNoStore(response: Response): Response {
  const headers = new Headers(response.headers)
  headers.set("cache-control", noStore(headers.get("cache-control")))
  const { body, status, statusText } = response
  return new Response(body, { status, statusText, headers })
}
