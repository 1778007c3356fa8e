import {
  type AuthContext,
  createUncachedResponse,
  isCanonicalTarget,
} from "@latchkey/core/integration"
import { isRedirect, type RequestEvent } from "@sveltejs/kit"
import { type GetAuthContext, getClientAddress } from "./auth-context.ts"
import { building } from "./kit.ts"
import { type AuthLocals, createLocals, signedOutLocals } from "./locals.ts"

/** A `handle` hook, declared here because SvelteKit 2 and 3 have the type in different modules. */
export type AuthHandle = (input: {
  event: RequestEvent
  resolve: (event: RequestEvent) => Response | Promise<Response>
}) => Promise<Response>

/** Creates the hook that responds to requests to the library, and adds the session to the locals of all others. */
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
    // Data requests of the client-side router are for pages.
    if (!event.isDataRequest) {
      const { integratedAuth } = await getAuthContextOnce()
      const { pathname } = new URL(event.request.url)
      const isOwnPath =
        integratedAuth.isActionPath(pathname) ||
        (event.route.id === null && integratedAuth.isBasePath(pathname))
      if (isOwnPath && isCanonicalTarget(getTarget(event)))
        return integratedAuth.handle(event.request, undefined, getClientAddress(event))
    }
    const hasSetCookies = async (): Promise<boolean> => {
      // Callers of `getAuthContextOnce` have received the error of an invalid configuration.
      const context = await authContext?.catch(() => undefined)
      return context !== undefined && context.cookies.getLines().length > 0
    }
    let response: Response
    try {
      response = await resolve(event)
    } catch (thrown) {
      throw (await hasSetCookies()) ? toUncacheableRedirect(thrown) : thrown
    }
    return (await hasSetCookies()) ? createUncachedResponse(response) : response
  }
}

/**
 * Returns the path and query as the server received them. Only `adapter-node` tells, because SvelteKit resolves them.
 */
function getTarget({ platform }: { platform?: unknown }): string | undefined {
  const { req } = Object(platform) as { req?: { url?: unknown } }
  return typeof req?.url === "string" ? req.url : undefined
}

/**
 * Changes a redirect that caches store by default (RFC 9110 section 15.4) to one that they do not. SvelteKit builds the
 * response to a thrown redirect, cookies included, so this hook cannot set a header on it.
 */
function toUncacheableRedirect(thrown: unknown): unknown {
  if (!isRedirect(thrown)) return thrown
  if (thrown.status === 301) thrown.status = 302
  if (thrown.status === 308) thrown.status = 307
  return thrown
}
