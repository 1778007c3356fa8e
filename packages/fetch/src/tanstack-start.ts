/** Latchkey for TanStack Start 1, without a dependency: types describe what it uses. */
import type { Session } from "@latchkey/core/types"
import type { FetchAuth } from "./fetch-auth.ts"
import { createGuardRedirect, isResponse } from "./guard.ts"
import type { RequestAuth } from "./request-auth.ts"

/** The result of `next` in a request middleware. */
export interface MiddlewareResult {
  readonly response: Response
}

/**
 * Responds in a request middleware: to requests to the library's actions itself, and to all others with what `next` returns
 * and the cookies. The call of `next` gives `context.auth` its type.
 *
 * @example
 * // src/start.ts
 * const authMiddleware = createMiddleware().server(({ request, next }) =>
 *   respond(auth, request, (requestAuth) => next({ context: { auth: requestAuth } })))
 * export const startInstance = createStart(() => ({ requestMiddleware: [authMiddleware] }))
 */
export async function respond<Result extends MiddlewareResult, SessionType = Session>(
  auth: FetchAuth<SessionType>,
  request: Request,
  next: (requestAuth: RequestAuth<SessionType>) => Result | Promise<Result>,
): Promise<Result | Response> {
  if (auth.isAuthRequest(request)) return auth.handler(request)
  const pagePath = findPagePath(request)
  const requestAuth = auth.for(request, undefined, { pagePath, createRefusal, prepareRedirect })
  const commit = (response: Response) => copyOptions(response, requestAuth.commit(response))
  try {
    const result = await next(requestAuth)
    return { ...result, response: commit(result.response) }
  } catch (thrown) {
    if (isResponse(thrown)) return commit(thrown)
    throw thrown
  }
}

/** Scripts call server functions at paths of their own. Nobody can return there, so this is the page that they are on. */
function findPagePath({ url, headers }: Request): string | undefined {
  const { host, pathname } = new URL(url)
  if (!pathname.includes("/_serverFn/")) return undefined
  const referer = headers.get("referer") ?? ""
  const page = URL.canParse(referer) ? new URL(referer) : undefined
  return page?.host === host ? page.pathname + page.search : "/"
}

const createRefusal = (location: string) => prepareRedirect(createGuardRedirect(location))

/** Makes a redirect one of TanStack Router, as its function `redirect` does. It loads the page anew. */
function prepareRedirect(response: Response): Response {
  const options = {
    href: response.headers.get("location"),
    statusCode: response.status,
    reloadDocument: true,
  }
  return Object.assign(response, { options })
}

/** Keeps what makes a response a redirect of TanStack Router. */
const copyOptions = (from: Response, to: Response): Response =>
  "options" in from ? Object.assign(to, { options: from.options }) : to
