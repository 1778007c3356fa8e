import {
  AuthContext,
  type AuthResolver,
  createAuthResolver,
  createResponseCookies,
} from "@latchkey/core/integration"
import type { RequestEvent } from "@sveltejs/kit"
import type { CompiledAuthConfig, LazyConfig } from "./config.ts"
import { loadEnvironment, readEnvironment } from "./environment.ts"
import { building, defaultBasePath } from "./kit.ts"

// SvelteKit itself refuses forms of other sites, and its forms never carried a token.
export const resolveAuth: AuthResolver = createAuthResolver({
  basePath: defaultBasePath,
  trustSameOrigin: true,
})

/**
 * Logs the problems of a configuration when the application starts, and ends a process in production that could sign nobody
 * in. A build is left out, and so is a configuration that depends on the event.
 */
export function checkConfigAtStartup(config: CompiledAuthConfig | LazyConfig): void {
  if (building || typeof config === "function") return
  resolveAuth.checkAtStartup(config, readEnvironment).endProcess()
}

/** Returns the context of an event, the same one throughout a request. */
export type GetAuthContext = (event: RequestEvent) => Promise<AuthContext>

export function createAuthContextGetter(config: CompiledAuthConfig | LazyConfig): GetAuthContext {
  // SvelteKit creates several events for one request. They share their locals.
  const authContexts = new WeakMap<App.Locals, Promise<AuthContext>>()
  return (event) => {
    const existing = authContexts.get(event.locals)
    if (existing) return existing
    const authContext = createAuthContext(event, config)
    authContexts.set(event.locals, authContext)
    return authContext
  }
}

async function createAuthContext(
  event: RequestEvent,
  config: CompiledAuthConfig | LazyConfig,
): Promise<AuthContext> {
  const resolvedConfig = typeof config === "function" ? await config(event) : config
  const integratedAuth = resolveAuth(resolvedConfig, await loadEnvironment())
  const { request } = event
  const cookies = createResponseCookies(({ name, value, options }) => {
    const { path = "/", secure = false, httpOnly = false, sameSite = false, ...rest } = options
    // All attributes are explicit, because SvelteKit has other defaults, such as `Secure` on http://127.0.0.1.
    const attributes = { encode: encodeURIComponent, ...rest, path, secure, httpOnly, sameSite }
    event.cookies.set(name, value, attributes)
  })
  // Not `event.url`, which is that of the page in a remote function.
  const resolveUrl = () => integratedAuth.resolveRequestUrl(request)
  const { headers } = request
  const clientAddress = getClientAddress(event)
  return new AuthContext(integratedAuth, { headers, resolveUrl, cookies, clientAddress })
}

/** Returns the address of the client as SvelteKit's adapter knows it; undefined if it knows none. */
export function getClientAddress(event: RequestEvent): string | undefined {
  try {
    return event.getClientAddress()
  } catch {
    return undefined // prerendering, or a header that the adapter expects is missing
  }
}
