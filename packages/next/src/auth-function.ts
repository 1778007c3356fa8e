/** `auth`: reads the session everywhere, wraps route handlers and proxies, and is a proxy itself. */
import { AuthError } from "@latchkey/core/errors"
import {
  type AuthContext,
  createSignInUrl,
  createUncachedResponse,
  isResponse,
} from "@latchkey/core/integration"
import type { Session } from "@latchkey/core/types"
import {
  type NextFetchEvent,
  type NextMiddleware,
  type NextRequest,
  NextResponse,
} from "next/server.js"
import {
  createRequestContext,
  type GetCurrentContext,
  getPagesContext,
  getTarget,
  type PagesExchange,
} from "./contexts.ts"
import { addCookies } from "./forwarded-request.ts"
import type { NextAuth } from "./resolve-auth.ts"

/** A request with its session; null when nobody is signed in. */
export interface NextAuthRequest<SessionType = Session> extends NextRequest {
  auth: SessionType | null
}

/** A response, or nothing, which lets a proxy go on. */
type HandlerResult = ReturnType<NextMiddleware>

/** A route handler or proxy whose request has the session. */
export type AuthHandler<SessionType, Context> = (
  request: NextAuthRequest<SessionType>,
  context: Context,
) => HandlerResult

/**
 * Returns the session, or null when nobody is signed in. It is read once per request.
 *
 * @throws AuthError when the session could not be checked; it may still be valid, so this is not a sign-out
 */
export interface AuthFunction<SessionType = Session> {
  /** In components, actions and route handlers. Components cannot set cookies, so there nothing is renewed. */
  (): Promise<SessionType | null>
  /** In an API route of the Pages Router. */
  (req: PagesExchange["req"], res: PagesExchange["res"]): Promise<SessionType | null>
  /** In `getServerSideProps`. */
  (context: PagesExchange): Promise<SessionType | null>
  /** As the proxy: renews the session, and redirects if the callback `authorized` says so. */
  (request: NextRequest, event?: NextFetchEvent): Promise<Response>
  /** Wraps a route handler, or a proxy, which another proxy may call. */
  <Context>(
    handler: AuthHandler<SessionType, Context>,
  ): (request: NextRequest, context: Context) => Promise<Response>
}

export function createAuthFunction(
  getAuth: (request?: NextRequest) => Promise<NextAuth>,
  getCurrentContext: GetCurrentContext,
): AuthFunction {
  const wrap =
    (handler: AuthHandler<Session, never>) => async (request: NextRequest, second: unknown) => {
      const call = (authRequest: NextAuthRequest) => handler(authRequest, second as never)
      // Only route handlers have parameters. A proxy may be called by another one, without its event.
      const isRoute = "params" in Object(second)
      if (!isRoute) return runProxy(await getAuth(request), request, call)
      return runRoute(await getCurrentContext(() => getAuth(request)), request, call)
    }

  async function callAuth(...input: unknown[]): Promise<unknown> {
    const [first, second] = input
    if (first === undefined) return readSession(await getCurrentContext(getAuth))
    if (isWebRequest(first)) return runProxy(await getAuth(first), first)
    const exchange = (second ? { req: first, res: second } : first) as PagesExchange
    return readSession(getPagesContext(await getAuth(), exchange))
  }

  // A function is wrapped at once: what it returns is exported.
  const auth = (...input: unknown[]) =>
    typeof input[0] === "function" ? wrap(input[0] as never) : callAuth(...input)
  return auth as AuthFunction
}

async function readSession(context: AuthContext): Promise<Session | null> {
  return (await context.getSession()).session
}

function isWebRequest(value: unknown): value is NextRequest {
  return typeof Object(Object(value).headers).get === "function"
}

/** Calls a route handler. Next.js sets the cookies of the current request on its response. */
async function runRoute(
  context: AuthContext,
  request: NextRequest,
  handler: (request: NextAuthRequest) => HandlerResult,
): Promise<Response> {
  const auth = await readSession(context)
  const response = await handler(Object.assign(request, { auth }))
  if (!response) throw new TypeError("Expected the route handler to return a response.")
  return context.cookies.getLines().length === 0 ? response : createUncachedResponse(response)
}

/** Renews the session, asks `authorized`, and calls the application's proxy. */
async function runProxy(
  auth: NextAuth,
  request: NextRequest,
  handler?: (request: NextAuthRequest) => HandlerResult,
): Promise<Response> {
  const context = createRequestContext(auth, request)
  const isOwnPath = auth.integratedAuth.isUnderBasePath(new URL(request.url).pathname)
  const authorized = isOwnPath ? undefined : auth.authorized
  const respond = async () => {
    const session = await readSession(context)
    const authRequest = Object.assign(request, { auth: session })
    const decision = authorized ? await authorized({ request: authRequest, auth: session }) : true
    if (isResponse(decision)) return decision
    const redirect = decision ? undefined : redirectToSignIn(context, request)
    return redirect ?? handler?.(authRequest)
  }
  // Who decides by the session must know it. Pages of the library, and of an application without such code, do without.
  const needsSession = !isOwnPath && (handler ?? authorized) !== undefined
  const response = await respond().catch((error: unknown) => {
    if (needsSession || !(error instanceof AuthError)) throw error
    return undefined
  })
  const lines = context.cookies.getLines()
  return addCookies(request, response ?? NextResponse.next(), lines, getTarget(request))
}

/** Returns the redirect to the sign-in page, or undefined on that page itself. */
function redirectToSignIn(context: AuthContext, { method }: NextRequest): Response | undefined {
  const { headers, url } = context
  const { engine } = context.integratedAuth
  const target = new URL(createSignInUrl(engine, { method, headers, url }), url.origin)
  return target.pathname === url.pathname ? undefined : NextResponse.redirect(target)
}
