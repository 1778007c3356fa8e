/** Latchkey for h3 2, and so Nitro 3, and for h3 1, and so Nuxt 4. Without a dependency: types describe what it uses. */
import { isCanonicalTarget } from "@latchkey/core/integration"
import type { Session } from "@latchkey/core/types"
import type { FetchAuth } from "./fetch-auth.ts"
import { isResponse, requireAuth } from "./guard.ts"
import type { RequestAuthOf } from "./request-auth.ts"

export { authHandler, type NodeEvent } from "./h3-1.ts"

interface RequestRuntime {
  readonly cloudflare?: { readonly env?: unknown } | undefined
  readonly node?: { readonly req?: { readonly url?: string | undefined } } | undefined
}

/** The parts of an event of h3 2 that the library uses. */
export interface H3Event {
  readonly req: Request & {
    readonly ip?: string | undefined
    readonly runtime?: RequestRuntime | undefined
  }
  readonly res: { readonly headers: Headers; readonly errHeaders: Headers }
  readonly context: { auth?: unknown; clientAddress?: string | undefined }
}

/**
 * Creates the middleware for h3 2 that responds to requests to the library's actions, and adds `event.context.auth` to all
 * others. Register it first.
 *
 * @example
 * const app = new H3().use(authMiddleware(auth))
 */
export function authMiddleware<SessionType extends object = Session>(
  auth: FetchAuth<SessionType, never>,
): (event: H3Event, next: () => unknown) => Promise<unknown> {
  return async (event, next) => {
    const { req, context } = event
    // The bindings have the type that the application says.
    const env = req.runtime?.cloudflare?.env as never
    const options = { clientAddress: context.clientAddress ?? req.ip }
    const isCanonical = isCanonicalTarget(req.runtime?.node?.req?.url)
    if (isCanonical && auth.isAuthRequest(req, env)) return auth.handler(req, env, options)
    const requestAuth = auth.for(req, env, options)
    context.auth = requestAuth
    try {
      return await next()
    } catch (thrown) {
      if (isResponse(thrown)) return thrown
      throw thrown
    } finally {
      // h3 sends one of the two, depending on the status.
      for (const headers of [event.res.headers, event.res.errHeaders])
        requestAuth.commitHeaders(headers)
    }
  }
}

/**
 * Returns the functions for the request of an event.
 *
 * @throws TypeError when the middleware has not run
 * @example
 * const session = await getAuth<typeof auth>(event).requireSession()
 */
export function getAuth<Auth = FetchAuth>(event: {
  readonly context: object
}): RequestAuthOf<Auth> {
  const fix = "register `authMiddleware(auth)`, or `authHandler(auth)` in h3 1, before the routes."
  const auth = Reflect.get(event.context, "auth")
  return requireAuth<RequestAuthOf<Auth>>(auth, "`event.context.auth`", fix)
}
