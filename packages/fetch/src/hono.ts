/** Latchkey for Hono 4, without a dependency: types describe the parts of Hono that it uses. */
import type { FreshSessionOptions } from "@latchkey/core/integration"
import type { Session } from "@latchkey/core/types"
import type { FetchAuth } from "./fetch-auth.ts"
import { isResponse, requireAuth } from "./guard.ts"
import type { RequestAuth, RequestAuthOf } from "./request-auth.ts"

/** The variables of the application: `new Hono<AuthEnv<typeof auth>>()`. */
export interface AuthEnv<Auth = FetchAuth> {
  Variables: { auth: RequestAuthOf<Auth> }
}

/** The parts of Hono's context that the library uses. */
export interface HonoContext {
  readonly req: { readonly raw: Request }
  readonly env: unknown
  get res(): Response
  set res(response: Response | undefined)
  get(name: "auth"): RequestAuth<object> | undefined
  set(name: "auth", value: RequestAuth<object>): void
}

type Next = () => Promise<void>

/**
 * Creates the middleware that responds to requests to the library's actions, and adds `c.var.auth` to all others. Add it
 * first, so that no other middleware changes the headers of a response with cookies.
 *
 * @param getClientAddress returns the address that you trust; by default that of the connection, where Hono knows it
 * @example
 * const app = new Hono<AuthEnv<typeof auth>>()
 * app.use(authMiddleware(auth))
 */
export function authMiddleware<SessionType extends object = Session>(
  auth: FetchAuth<SessionType, never>,
  getClientAddress?: (c: HonoContext) => string | undefined,
): (c: HonoContext, next: Next) => Promise<Response | undefined> {
  return async (c, next) => {
    // The bindings have the type that the application says.
    const env = c.env as never
    const options = getClientAddress && { clientAddress: getClientAddress(c) }
    if (auth.isAuthRequest(c.req.raw, env)) return auth.handler(c.req.raw, env, options)
    const requestAuth = auth.for(c.req.raw, env, options)
    c.set("auth", requestAuth)
    try {
      await next()
    } catch (thrown) {
      if (!isResponse(thrown)) throw thrown
      c.res = thrown
    }
    const response = requestAuth.commit(c.res)
    if (response !== c.res) {
      c.res = undefined // Hono would add the earlier headers to those of the response.
      c.res = response
    }
    return undefined
  }
}

/** A guard: lets users pass who are signed in. `c.var.auth.requireSession()` does the same in a handler. */
export const requireSession =
  () =>
  async (c: HonoContext, next: Next): Promise<void> => {
    await getAuth(c).requireSession()
    await next()
  }

/** A guard: lets users pass who authenticated recently. */
export const requireFreshSession =
  (options?: FreshSessionOptions) =>
  async (c: HonoContext, next: Next): Promise<void> => {
    await getAuth(c).requireFreshSession(options)
    await next()
  }

const getAuth = (c: HonoContext) =>
  requireAuth(
    c.get("auth"),
    "`c.var.auth`",
    "call `app.use(authMiddleware(auth))` before the routes.",
  )
