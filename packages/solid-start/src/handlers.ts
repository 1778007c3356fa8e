import type { ReactiveAuthConfig } from "./config.ts"
import type { StartEvent } from "./event.ts"
import { getIntegratedAuth } from "./integrated-auth.ts"
import { getPathname, getRequestAddress } from "./request-url.ts"

/** A handler of an API route. Undefined lets SolidStart go on to the pages. */
export type ReactiveAuthHandler = (event: StartEvent<Request>) => Promise<Response | undefined>

/** What the catch-all route exports. */
export interface ReactiveAuthHandlers {
  readonly GET: ReactiveAuthHandler
  readonly POST: ReactiveAuthHandler
}

/**
 * Answers the requests to the library's actions, in a catch-all route such as `src/routes/api/auth/[...auth].ts`.
 *
 * @throws TypeError from the handlers, when `AUTH_URL` is no http(s) URL, or `prefix` does not begin with a slash
 * @example
 * export const { GET, POST } = ReactiveAuth(config)
 */
export function ReactiveAuth(config: ReactiveAuthConfig): ReactiveAuthHandlers {
  const handler: ReactiveAuthHandler = (event) => handleRequest(event, config)
  return { GET: handler, POST: handler }
}

/** Returns undefined for paths that are not an action, as one of them may be a page. */
async function handleRequest(
  event: StartEvent<Request>,
  config: ReactiveAuthConfig,
): Promise<Response | undefined> {
  const integratedAuth = getIntegratedAuth(config)
  const { request } = event
  // SolidStart turns a HEAD request without a response into an error.
  const needsResponse = request.method === "HEAD"
  if (!needsResponse && !integratedAuth.isActionPath(getPathname(event))) return undefined
  return integratedAuth.handle(request, getRequestAddress(event))
}
