import type { ServerAuth } from "@latchkey/core"
import { InvalidRequest } from "@latchkey/core/errors"
import {
  createInvalidRequestResponse,
  createServerAuth,
  toResponse,
} from "@latchkey/core/integration"
import type { InferSession, Session } from "@latchkey/core/types"
import type { NextRequest } from "next/server.js"
import { type Actions, createActions } from "./actions.ts"
import { type AuthFunction, createAuthFunction } from "./auth-function.ts"
import type { LazyConfig, NextAuthConfig } from "./config.ts"
import { createCurrentContextGetter, getTarget } from "./contexts.ts"
import {
  type NextAuth as Compiled,
  checkConfigAtStartup,
  compileConfig,
  nextBasePath,
} from "./resolve-auth.ts"

/** Responds to a request to one of the library's actions. */
type RouteHandler = (request: NextRequest) => Promise<Response>

/** The result of {@link NextAuth}: the functions, and the objects that read and change stored users. */
export interface NextAuthResult<SessionType = Session>
  extends Actions<SessionType>,
    Pick<ServerAuth, "accounts" | "factors" | "passkeys" | "sessions" | "users"> {
  /** The handlers for `app/api/auth/[...nextauth]/route.ts`. */
  readonly handlers: {
    readonly GET: RouteHandler
    readonly POST: RouteHandler
    /** Answers preflight requests of `trustedOrigins`. */
    readonly OPTIONS: RouteHandler
  }
  readonly auth: AuthFunction<SessionType>
  /**
   * Ends a server in production, after logging why, if the configuration could sign nobody in. Call it in `register` of
   * `instrumentation.ts`, which runs when the server starts. Without it, problems are only logged, with the first request.
   * Does nothing if the configuration is a function.
   */
  checkConfigAtStartup(): void
}

/**
 * Authentication for Next.js 15.5 and 16.
 *
 * The actions are under `config.basePath`, else the path of `AUTH_URL`, else `/api/auth`.
 *
 * @param config the configuration, or a function that creates it for a request
 * @example
 * export const { handlers, auth, signIn, signOut } = NextAuth({ providers: [github] })
 */
export function NextAuth<const Config extends NextAuthConfig>(
  config: Config | LazyConfig<Config>,
): NextAuthResult<InferSession<Config>>
export function NextAuth(config: NextAuthConfig | LazyConfig<NextAuthConfig>): NextAuthResult {
  const getAuth = async (request?: NextRequest): Promise<Compiled> =>
    compileConfig(typeof config === "function" ? await config(request) : config)
  const startCheck = () => (typeof config === "function" ? undefined : checkConfigAtStartup(config))
  // Proxies often have a configuration of their own, which only reads sessions and has no providers.
  const isForSignIn = typeof config !== "function" && config.providers?.length !== 0
  const startupCheck = isForSignIn ? startCheck() : undefined
  const getCurrentContext = createCurrentContextGetter()
  const handle = async (request: NextRequest) => handleRequest(await getAuth(request), request)
  const { accounts, factors, passkeys, sessions, users } = createServerAuth(async (work) =>
    (await getAuth()).integratedAuth.engine.run(work),
  )
  return {
    handlers: { GET: handle, POST: handle, OPTIONS: handle },
    auth: createAuthFunction(getAuth, getCurrentContext),
    ...createActions(() => getCurrentContext(getAuth)),
    checkConfigAtStartup: () => (startupCheck ?? startCheck())?.endProcess(),
    accounts,
    factors,
    passkeys,
    sessions,
    users,
  }
}

/** Responds to a request to one of the actions. Next.js builds `request.url` from headers that clients can forge. */
async function handleRequest(auth: Compiled, request: Request): Promise<Response> {
  const { headers } = request
  if (isRouterRequest(request))
    return new Response(null, { headers: { "cache-control": "private, no-store" } })
  try {
    const target = getTarget(request)
    // Next.js takes its `basePath` off in route handlers, and only there.
    const isWhole = target.startsWith(`${nextBasePath}/`)
    const { href } = auth.resolveUrl(headers, isWhole ? target : nextBasePath + target)
    const urlSource = { url: href, headers: new Headers() }
    return await auth.integratedAuth.handle(request, urlSource, auth.getClientAddress(headers))
  } catch (error) {
    if (error instanceof InvalidRequest) return toResponse(createInvalidRequestResponse(error))
    throw error
  }
}

/**
 * Whether the router of the page sent a request, to prefetch a link or to show where an action redirects to. It then loads the
 * URL as a page, because the response is none of its own: only that shows where our redirects lead to.
 */
function isRouterRequest({ method, url, headers }: Request): boolean {
  // Without parsing a query that the core refuses because of its length.
  const isMarked = /[?&]_rsc(?:[=&]|$)/.test(url) || headers.get("rsc") === "1"
  return method === "GET" && isMarked
}
