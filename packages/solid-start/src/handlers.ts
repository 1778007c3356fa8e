import { isCanonicalTarget } from "@latchkey/core/integration"
import type { ReactiveAuthConfig } from "./config.ts"
import { getClientAddress, getRequestTarget, type StartEvent } from "./event.ts"
import { getIntegratedAuth, logConfigProblems } from "./integrated-auth.ts"
import { getPathname, getRequestAddress } from "./request-url.ts"

/** A handler of an API route. For undefined, SolidStart continues with the pages. */
export type ReactiveAuthHandler = (event: StartEvent<Request>) => Promise<Response | undefined>

/** The exports of the catch-all route. */
export interface ReactiveAuthHandlers {
  readonly GET: ReactiveAuthHandler
  readonly POST: ReactiveAuthHandler
  /** Responds to preflight requests. Export it, too, if you set `trustedOrigins`. */
  readonly OPTIONS: ReactiveAuthHandler
}

/**
 * Creates the handlers of a catch-all route, such as `src/routes/api/auth/[...auth].ts`. They respond to requests to
 * the library's actions and show a page (404) for unknown paths below the base path. For other paths, they return
 * undefined.
 *
 * @throws TypeError from the handlers, when `AUTH_URL` is not an http(s) URL or `prefix` does not start with a slash
 * @example
 * export const { GET, POST } = ReactiveAuth(config)
 */
export function ReactiveAuth(config: ReactiveAuthConfig): ReactiveAuthHandlers {
  logConfigProblems(config)
  const handler: ReactiveAuthHandler = async (event) => {
    const integratedAuth = getIntegratedAuth(config)
    const { request } = event
    const path = getPathname(event)
    const isPagePath = request.method === "GET" && integratedAuth.isUnderBasePath(path)
    const isOwnPath = isPagePath || integratedAuth.isActionPath(path)
    if (!isOwnPath || !isCanonicalTarget(getRequestTarget(event)))
      // SolidStart turns a HEAD request without a response into an error.
      return request.method === "HEAD" ? new Response(null, { status: 400 }) : undefined
    return integratedAuth.handle(request, getRequestAddress(event), getClientAddress(event))
  }
  return { GET: handler, POST: handler, OPTIONS: handler }
}
