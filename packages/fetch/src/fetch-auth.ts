import type { ServerAuth } from "@latchkey/core"
import { AuthError } from "@latchkey/core/errors"
import { createAuthResolver, createServerAuth, isCanonicalTarget } from "@latchkey/core/integration"
import type { InferSession, Session } from "@latchkey/core/types"
import type { FetchAuthConfig, LazyConfig } from "./config.ts"
import { isResponse } from "./guard.ts"
import { createRequestAuth, type RequestAuth, type RequestAuthOptions } from "./request-auth.ts"
import { getBindings, getConnectionAddress, getEnvironment, getRequestTarget } from "./runtime.ts"

/** Responds to requests, as Bun, Deno and Cloudflare Workers call it. */
export type FetchFunction<Args extends readonly unknown[] = readonly never[]> = (
  request: Request,
  ...args: Args
) => Response | Promise<Response>

/** Options of `wrap`. */
export interface WrapOptions<Args extends readonly unknown[]> {
  /**
   * Returns the address of the client that the server or platform trusts, such as a header that your own proxy overwrites.
   *
   * @defaultValue the address of the connection in Bun and Deno; none elsewhere
   */
  readonly getClientAddress?: (request: Request, ...args: Args) => string | undefined
}

/** The result of {@link FetchAuth}. `env` is only for a configuration, or variables, that come with each request. */
export interface FetchAuth<SessionType = Session, Env = unknown> {
  /** Responds to a request to one of the library's actions. Mount it on the base path, by default `/auth`. */
  handler(
    request: Request,
    env?: Env,
    options?: Pick<RequestAuthOptions, "clientAddress">,
  ): Promise<Response>
  /** Returns the functions for a request: always the same ones for the same `Request`. */
  for(request: Request, env?: Env, options?: RequestAuthOptions): RequestAuth<SessionType>
  /** Whether a request is for `handler`: its path is the base path or below it. */
  isAuthRequest(request: Request, env?: Env): boolean
  /**
   * Responds to requests to the library's actions, and calls `next` for all others. A `Response` that `next` throws counts as
   * its response. Sets the cookies. For middleware of frameworks.
   */
  respond(
    request: Request,
    next: (auth: RequestAuth<SessionType>) => Response | Promise<Response>,
    env?: Env,
    options?: RequestAuthOptions,
  ): Promise<Response>
  /** Whether `respond` or `wrap` is responding to a request, and so sets its cookies. */
  isWrapped(request: Request): boolean
  /**
   * Wraps the `fetch` function of a server: responds to requests to the library's actions, and sets the cookies on all other
   * responses. An `AuthError` that the function throws becomes a response with its status.
   *
   * @example
   * export default { fetch: auth.wrap(async (request) => {
   *   const { user } = await auth.for(request).requireSession()
   *   return new Response(`Hello ${user?.name}`)
   * }) }
   */
  wrap<Args extends readonly unknown[]>(
    fetch: FetchFunction<Args>,
    options?: WrapOptions<Args>,
  ): (request: Request, ...args: Args) => Promise<Response>
  /**
   * Ends a Node.js process in production, after logging why, if its configuration could sign nobody in. Call it where your
   * server starts. Without it, problems are only logged, because builds load the configuration, too. Does nothing if the
   * configuration is a function.
   */
  checkConfigAtStartup(): void
  /** Returns functions that read and change stored users, outside of a request. They do not check who may do so. */
  getAuth(env?: Env): ServerAuth
}

const resolveAuth = createAuthResolver({ basePath: "/auth", trustSameOrigin: true })

/**
 * Authentication for everything that handles a `Request` and returns a `Response`.
 *
 * The actions are under `config.basePath`, else the path of `AUTH_URL`, else `/auth`.
 *
 * @param config the configuration, or a function that creates it from the bindings of Cloudflare Workers
 * @example
 * export const auth = FetchAuth({ providers: [github] })
 */
export function FetchAuth<Config extends FetchAuthConfig, Env = unknown>(
  config: Config | LazyConfig<Config, Env>,
): FetchAuth<InferSession<Config>, Env>
export function FetchAuth(
  config: FetchAuthConfig | LazyConfig<FetchAuthConfig, unknown>,
): FetchAuth {
  // Problems are logged in any case. `checkConfigAtStartup` also ends the process, and may be called after the check.
  const startupCheck =
    typeof config === "function"
      ? undefined
      : resolveAuth.checkAtStartup(config, () => getEnvironment({}))
  const getIntegratedAuth = rememberResults(typeof config === "function", (env) =>
    resolveAuth(typeof config === "function" ? config(env) : config, getEnvironment(env)),
  )
  const requestAuths = new WeakMap<Request, RequestAuth>()
  const wrappedRequests = new WeakMap<Request, WrappedRequest>()

  const auth: FetchAuth = {
    async handler(request, env, options) {
      const { clientAddress } = { ...getDefaults(request, env), ...options }
      return getIntegratedAuth(env).handle(request, undefined, clientAddress)
    },
    for(request, env, options) {
      const existing = requestAuths.get(request)
      if (existing) return existing
      const wrapped = wrappedRequests.get(request) ?? { env, options }
      const allOptions = { ...getDefaults(request, wrapped.env), ...wrapped.options }
      const requestAuth = createRequestAuth(request, getIntegratedAuth(wrapped.env), allOptions)
      requestAuths.set(request, requestAuth)
      return requestAuth
    },
    isAuthRequest({ method, url }, env) {
      const { pathname } = new URL(url)
      const { isActionPath, isUnderBasePath } = getIntegratedAuth(env)
      // Other pages below the base path get an error page of the library.
      const isOwnPath = isActionPath(pathname) || (method === "GET" && isUnderBasePath(pathname))
      return isOwnPath && isCanonicalTarget(getRequestTarget(env))
    },
    async respond(request, next, env, options) {
      if (auth.isAuthRequest(request, env)) return auth.handler(request, env, options)
      wrappedRequests.set(request, { env, options })
      const requestAuth = auth.for(request)
      return requestAuth.commit(await catchResponse(() => next(requestAuth)))
    },
    isWrapped: (request) => wrappedRequests.has(request),
    wrap:
      (fetch, { getClientAddress } = {}) =>
      async (request, ...args) => {
        const [env] = args
        const options = getClientAddress && { clientAddress: getClientAddress(request, ...args) }
        if (auth.isAuthRequest(request, env)) return auth.handler(request, env, options)
        wrappedRequests.set(request, { env, options })
        const response = await catchResponse(() => fetch(request, ...args), toErrorResponse)
        // Most requests need none of the functions, which take longer to create than the rest.
        return requestAuths.get(request)?.commit(response) ?? response
      },
    checkConfigAtStartup: () => startupCheck?.endProcess(),
    getAuth: (env) => createServerAuth(async (work) => getIntegratedAuth(env).engine.run(work)),
  }
  return auth
}

const getDefaults = (request: Request, env: unknown): RequestAuthOptions => ({
  clientAddress: getConnectionAddress(request, env),
})

/** The bindings and options of a request that `respond` or `wrap` is responding to, for `for`. */
interface WrappedRequest {
  readonly env: unknown
  readonly options: RequestAuthOptions | undefined
}

/** Calls a function once, or once for each object of bindings. */
function rememberResults<Result extends object>(
  dependsOnBindings: boolean,
  create: (env: unknown) => Result,
): (env: unknown) => Result {
  const noBindings = {}
  const results = new WeakMap<object, Result>()
  return (argument) => {
    const bindings = getBindings(argument) ?? noBindings
    const key = dependsOnBindings ? bindings : noBindings
    const existing = results.get(key)
    if (existing) return existing
    const result = create(bindings)
    results.set(key, result)
    return result
  }
}

/** Returns the response of a function, also one that it throws. */
async function catchResponse(
  respond: () => Response | Promise<Response>,
  toResponse?: (error: unknown) => Response,
): Promise<Response> {
  try {
    return await respond()
  } catch (thrown) {
    if (isResponse(thrown)) return thrown
    if (toResponse) return toResponse(thrown)
    throw thrown
  }
}

function toErrorResponse(error: unknown): Response {
  if (!(error instanceof AuthError)) throw error
  const headers = { "cache-control": "private, no-store" }
  return Response.json({ error: error.type }, { status: error.status, headers })
}
