/** A request, and the configuration that it is answered with. */
import {
  createAuthResolver,
  createResponseCookies,
  type IntegratedAuth,
  type ResponseCookies,
} from "@latchkey/core/integration"
import type { Session } from "@latchkey/core/types"
import type { RequestEvent } from "@sveltejs/kit"
import type { CompiledAuthConfig, LazyConfig } from "./config.ts"
import { setCookie } from "./cookies.ts"
import { defaultBasePath } from "./kit.ts"

// SvelteKit refuses forms from elsewhere before any of this runs, and its forms never carried a token.
const resolveAuth = createAuthResolver({ basePath: defaultBasePath, trustSameOrigin: true })

/** A request. */
export interface AuthContext {
  readonly integratedAuth: IntegratedAuth
  readonly request: Request
  readonly cookies: ResponseCookies
  /** What was found out of the session; undefined before anybody asked, and once somebody has signed in or out. */
  session?: Promise<Session | null> | undefined
}

/** Gives the visit of an event, the same one throughout the request. */
export type GetAuthContext = (event: RequestEvent) => Promise<AuthContext>

/** Creates what finds the visits for a configuration. */
export function createAuthContextGetter(config: CompiledAuthConfig | LazyConfig): GetAuthContext {
  // SvelteKit makes several events of one request, which have their locals in common.
  const authContexts = new WeakMap<App.Locals, Promise<AuthContext>>()

  async function createAuthContext(event: RequestEvent): Promise<AuthContext> {
    const resolvedConfig = typeof config === "function" ? await config(event) : config
    const integratedAuth = resolveAuth(resolvedConfig, globalThis.process?.env ?? {})
    const { request } = event
    const cookies = createResponseCookies(request.headers.get("cookie"), (cookie) =>
      setCookie(event.cookies, cookie),
    )
    return { integratedAuth, request, cookies }
  }

  return (event) => {
    const existing = authContexts.get(event.locals)
    if (existing) return existing
    const authContext = createAuthContext(event)
    authContexts.set(event.locals, authContext)
    return authContext
  }
}

/**
 * What the engine wants to know of a request, with the cookies that were set on the way. Not of `event.url`: in a
 * remote function, that is the page's.
 *
 * @throws InvalidRequest 400 when nothing names a usable host
 */
export function createRequestContext({ integratedAuth, request, cookies }: AuthContext): {
  headers: Headers
  url: URL
} {
  const headers = new Headers(request.headers)
  headers.set("cookie", cookies.toCookieHeader())
  return { headers, url: integratedAuth.resolveRequestUrl(request) }
}
