/** The proxy of NextAuth.js 4, which is small enough for the edge: it reads the token, and renews nothing. */
import type { JWT } from "@latchkey/core/jwt"
import { type NextFetchEvent, type NextRequest, NextResponse } from "next/server.js"
import { readEnvironment } from "../environment.ts"
import { getToken } from "./get-token.ts"

type Awaitable<Value> = Value | Promise<Value>

/** A request with the token of its session. */
export interface NextRequestWithAuth extends NextRequest {
  nextauth: { token: JWT | null }
}

/** Options of {@link withAuth}. */
export interface NextAuthMiddlewareOptions {
  /** One or more secrets. @defaultValue `AUTH_SECRET`, else `NEXTAUTH_SECRET` */
  readonly secret?: string | string[]
  /** The name of the session cookie. */
  readonly cookies?: { readonly sessionToken?: { readonly name?: string } }
  /** Decodes the session token, if your configuration encodes it. */
  readonly jwt?: { readonly decode?: Parameters<typeof getToken>[0]["decode"] }
  /** URLs of your own pages. */
  readonly pages?: { readonly signIn?: string; readonly error?: string }
  /** The callback `authorized`, which decides whether the request may go on. By default, it needs a valid token. */
  readonly callbacks?: {
    /** Whether the request may go on. @defaultValue whether there is a valid token */
    authorized?(params: { req: NextRequest; token: JWT | null }): Awaitable<boolean>
  }
}

/** The application's proxy, which runs if the request may go on. It returns a response, or nothing. */
export type NextMiddlewareWithAuth = (
  request: NextRequestWithAuth,
  event: NextFetchEvent,
) => unknown

/** A proxy of Next.js. */
export type NextAuthMiddleware = (
  request: NextRequest,
  event: NextFetchEvent,
) => Promise<Response | undefined>

/**
 * A proxy that sends visitors without a session to the sign-in page, or creates one with your options or your own proxy.
 *
 * It is no guard: components, handlers and actions must check the session, too. It knows neither revocations nor sessions in a
 * database.
 *
 * @throws MissingSecret when there is no secret
 * @example
 * export default withAuth({ callbacks: { authorized: ({ token }) => token?.role === "admin" } })
 */
export function withAuth(
  request: NextRequest,
  event?: NextFetchEvent,
): Promise<Response | undefined>
export function withAuth(options?: NextAuthMiddlewareOptions): NextAuthMiddleware
export function withAuth(
  middleware: NextMiddlewareWithAuth,
  options?: NextAuthMiddlewareOptions,
): NextAuthMiddleware
export function withAuth(first: unknown = {}, second?: unknown): unknown {
  if (typeof first === "function") {
    const options = second as NextAuthMiddlewareOptions | undefined
    return create(options, first as NextMiddlewareWithAuth)
  }
  const isRequest = typeof Object(first).nextUrl === "object"
  return isRequest
    ? create()(first as NextRequest, second as NextFetchEvent)
    : create(first as NextAuthMiddlewareOptions)
}

function create(
  options: NextAuthMiddlewareOptions = {},
  middleware?: NextMiddlewareWithAuth,
): NextAuthMiddleware {
  const { secret, cookies, jwt, pages, callbacks } = options
  return async (request, event) => {
    const { pathname, search, basePath, origin } = request.nextUrl
    const actionsPath = getActionsPath(basePath)
    const signInPath = pages?.signIn ?? `${actionsPath}/signin`
    const ownPaths = [actionsPath, signInPath, pages?.error, "/_next", "/favicon.ico"]
    const isOwn = ownPaths.some((path) => path !== undefined && isUnder(pathname, path))
    // Pages as data, whose path Next.js keeps with `skipMiddlewareUrlNormalize`.
    if (isOwn && !isUnder(pathname, "/_next/data")) return undefined
    const cookieName = cookies?.sessionToken?.name
    const token = await getToken({
      req: request,
      ...(secret && { secret }),
      ...(cookieName && { cookieName }),
      ...(jwt?.decode && { decode: jwt.decode }),
    })
    const isAuthorized = callbacks?.authorized
      ? await callbacks.authorized({ req: request, token })
      : token !== null
    if (isAuthorized) {
      const authRequest = Object.assign(request, { nextauth: { token } })
      return ((await middleware?.(authRequest, event)) ?? undefined) as Response | undefined
    }
    const signInUrl = new URL(basePath + signInPath, origin)
    signInUrl.searchParams.set("callbackUrl", basePath + pathname + search)
    return NextResponse.redirect(signInUrl)
  }
}

/** Returns the path of the library's actions, without the `basePath` of Next.js. */
function getActionsPath(basePath: string): string {
  const { AUTH_URL = "" } = readEnvironment()
  const pathname = URL.canParse(AUTH_URL) ? new URL(AUTH_URL).pathname : "/"
  const path = isUnder(pathname, basePath) ? pathname.slice(basePath.length) : pathname
  return path.replace(/\/$/, "") || "/api/auth"
}

const isUnder = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`)
