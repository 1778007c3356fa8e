/** Latchkey for React Router 8, and 7.9 with its middleware, without a dependency: types describe what it uses. */
import type { Session } from "@latchkey/core/types"
import type { FetchAuth } from "./fetch-auth.ts"
import { createGuardRedirect } from "./guard.ts"
import type { RequestAuth } from "./request-auth.ts"

/** The key of a value in React Router's context. */
export interface ContextKey<T> {
  defaultValue?: T
}

/** The parts of a middleware's arguments that the library uses. */
export interface MiddlewareArguments {
  readonly request: Request
  /** The URL of the page, since version 8: that of the request may be `/members.data`. */
  readonly url?: URL
  readonly context: { set<T>(key: ContextKey<T>, value: T): void }
}

/** The result of {@link createMiddleware}. */
export interface ReactRouterAuth<SessionType> {
  /** The middleware of the root route, which sets the cookies. */
  readonly authMiddleware: (
    args: MiddlewareArguments,
    next: () => Promise<unknown>,
  ) => Promise<Response>
  /** The key of the functions for a request. `context.get` throws if the middleware has not run. */
  readonly authContext: ContextKey<RequestAuth<SessionType>>
}

/** Makes the browser load the page that a redirect leads to, which may be one of the library's. */
function prepareRedirect(response: Response): Response {
  response.headers.set("x-remix-reload-document", "true")
  return response
}

const isPageData = ({ method, url }: Request, page: URL) =>
  method === "GET" && new URL(url).pathname !== page.pathname

const createRefusal = (location: string) => prepareRedirect(createGuardRedirect(location))

/**
 * Creates the middleware of the root route, and the key for `context.get`.
 *
 * @example
 * export const { authMiddleware, authContext } = createMiddleware(auth)
 * // in a loader
 * const session = await context.get(authContext).requireSession()
 */
export function createMiddleware<SessionType = Session>(
  auth: FetchAuth<SessionType>,
): ReactRouterAuth<SessionType> {
  const authContext: ContextKey<RequestAuth<SessionType>> = {}
  return {
    authContext,
    authMiddleware: ({ request, url, context }, next) => {
      const respond = (requestAuth: RequestAuth<SessionType>) => {
        context.set(authContext, requestAuth)
        return next() as Promise<Response> // on the server, it is one
      }
      // A link of the router leads to a page of the library, which only the browser can load.
      if (url && isPageData(request, url) && auth.isAuthRequest(new Request(url)))
        return Promise.resolve(createRefusal(url.pathname + url.search))
      const pagePath = url && url.pathname + url.search
      const options = { pagePath, createRefusal, prepareRedirect }
      return auth.respond(request, respond, undefined, options)
    },
  }
}
