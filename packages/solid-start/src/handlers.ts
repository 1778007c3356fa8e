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

/** Answers a request; not a GET for another path, which may be that of a page. */
async function handleRequest(
  event: StartEvent<Request>,
  config: ReactiveAuthConfig,
): Promise<Response | undefined> {
  const integratedAuth = getIntegratedAuth(config)
  const { request } = event
  // Of other methods SolidStart wants an answer, whatever the path.
  if (request.method === "GET" && !integratedAuth.isActionPath(getPathname(event))) return undefined
  return integratedAuth.handle(request, getRequestAddress(event))
}
