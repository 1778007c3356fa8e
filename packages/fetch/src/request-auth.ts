/** The functions for one request. */
import type {
  AccessToken,
  AccessTokenOptions,
  AuthorizationParams,
  SignInOptions,
  SignOutOptions,
} from "@latchkey/core"
import {
  AuthContext,
  addSetCookieLines,
  assertPostFromOwnPage,
  createGuardResponse,
  createResponseCookies,
  createUncachedResponse,
  type FreshSessionOptions,
  getRedirectLocation,
  type IntegratedAuth,
  type PlainResponse,
  parseSignInForm,
  type ResponseCookies,
  toResponse,
} from "@latchkey/core/integration"
import type { Session } from "@latchkey/core/types"

/** The facts about a request that only the framework knows, and how it responds. */
export interface RequestAuthOptions {
  /** The address that the server or framework trusts, never a header that clients can set. */
  readonly clientAddress?: string | undefined
  /** Path and query of the page, if the request is for its data: guards lead back there. The origin stays that of the request. */
  readonly pagePath?: string | undefined
  /**
   * Creates what guards throw, for frameworks that do not respond with a thrown `Response`.
   *
   * @param signInUrl the sign-in page, which leads back
   * @param response what guards throw otherwise
   */
  readonly createRefusal?: ((signInUrl: string, response: PlainResponse) => unknown) | undefined
  /** Changes the redirects of `signIn` and `signOut` to those of the framework's router. */
  readonly prepareRedirect?: ((response: Response) => Response) | undefined
  /** Where cookies are set at once, for frameworks without a `Response`. By default, `commit` sets them. */
  readonly cookies?: ResponseCookies | undefined
}

/** The functions for a request of an application, whose sessions have the type that its configuration says. */
export type RequestAuthOf<Auth> = Auth extends { for(...input: never[]): infer Functions }
  ? Functions
  : never

/** The functions for one request, whose cookies `commit` sets on the response. */
export interface RequestAuth<SessionType = Session> {
  /**
   * Returns the session, or null when nobody is signed in. The first call reads it.
   *
   * @throws AuthError when the session could not be checked; it may still be valid, so this is not a sign-out
   */
  getSession(): Promise<SessionType | null>
  /**
   * Returns the session. If nobody is signed in, it throws a `Response` that leads to the sign-in page and back: a redirect
   * for pages, and JSON with status 401 for scripts.
   *
   * @throws AuthError when the session could not be checked
   */
  requireSession(): Promise<SessionType>
  /**
   * Returns the session of a user who authenticated at most `maxAge` seconds ago, 600 by default. For all others it throws
   * a `Response` as `requireSession` does, with status 403 for scripts if the user is signed in.
   *
   * @throws AuthError when the session could not be checked
   * @throws TypeError when `maxAge` is invalid
   */
  requireFreshSession(options?: FreshSessionOptions): Promise<SessionType>
  /**
   * Starts a sign-in, or signs in with credentials. Returns the redirect to where it continues.
   *
   * @param provider id of the provider, or a form with the fields `providerId` and `authorizationParams-<name>`, whose other
   *   fields are those of `SignInOptions`, such as `redirectTo`. Without one, the browser is sent to the sign-in page.
   * @param options replace what the form says
   * @param authorizationParams parameters for the provider that your code chose
   * @throws CredentialsSignin and other AuthErrors when the sign-in is refused; MissingCSRF unless a page of the same origin
   *   sent the request; InvalidRequest for GET
   */
  signIn(
    provider?: string | FormData | URLSearchParams,
    options?: SignInOptions,
    authorizationParams?: AuthorizationParams,
  ): Promise<Response>
  /**
   * Ends the session. Returns the redirect to where the browser goes then.
   *
   * @throws AuthError when the session could not be ended; MissingCSRF unless a page of the same origin sent the request;
   *   InvalidRequest for GET
   */
  signOut(options?: SignOutOptions): Promise<Response>
  /**
   * Changes the session and returns it; null when nobody is signed in.
   *
   * @param data for the `jwt` callback (strategy `jwt`) or the `session` callback, which must validate it
   * @throws AuthError when the session could not be checked; MissingCSRF unless a page of the same origin sent the request;
   *   InvalidRequest for GET
   */
  updateSession(data: unknown): Promise<SessionType | null>
  /**
   * Returns an access token of a provider for the signed-in user, refreshed if it has to be.
   *
   * @throws AccessTokenError when there is no token that can be used; `needsSignIn` says what helps
   */
  getAccessToken(provider: string, options?: AccessTokenOptions): Promise<AccessToken>
  /**
   * Returns the response with the cookies of the library, which keep it out of caches. It is the same object if there are
   * none. Its body passes untouched. Calls that come later, such as those of a stream, only read.
   */
  commit(response: Response): Response
  /** As `commit`, for frameworks that create the response from headers. */
  commitHeaders(headers: Headers): void
}

const hint =
  "Call it for a form that is sent by POST: links and prefetches must not sign anybody in or out."

/** Returns a URL with another path and query. No text can change its origin. */
function replacePath(requestUrl: string, pagePath: string): string {
  const url = new URL(requestUrl)
  const [path = ""] = pagePath.split("?", 1)
  url.pathname = path
  url.search = pagePath.slice(path.length)
  return url.href
}

/** Creates the functions for a request. They set no cookies on the response to a WebSocket, which only its runtime creates. */
export function createRequestAuth(
  request: Request,
  integratedAuth: IntegratedAuth,
  {
    clientAddress,
    pagePath,
    createRefusal,
    prepareRedirect = (response) => response,
    cookies: ownCookies,
  }: RequestAuthOptions,
): RequestAuth {
  const { method, headers } = request
  let isSent = false
  const canSet = () => !isSent && headers.get("upgrade")?.toLowerCase() !== "websocket"
  const collected = createResponseCookies(() => {
    if (!canSet()) throw new TypeError("The response has been sent: it can set no more cookies.")
  })
  collected.canSet = canSet
  const cookies = ownCookies ?? collected
  const resolveUrl = () => {
    const url = pagePath === undefined ? request.url : replacePath(request.url, pagePath)
    return integratedAuth.resolveRequestUrl({ url, headers })
  }
  const context = new AuthContext(integratedAuth, { headers, resolveUrl, cookies, clientAddress })

  const redirect = (target: string): Response => {
    const { origin } = context.url
    const location = getRedirectLocation(new URL(target, origin), origin)
    return prepareRedirect(new Response(null, { status: 303, headers: { location } }))
  }
  const refuse = (
    session: Session | null,
    error: "SessionNotFresh" | "SessionRequired",
    options?: FreshSessionOptions,
  ) => {
    return (signInUrl: string): never => {
      const response = createGuardResponse(headers, session, signInUrl, error, options)
      throw createRefusal ? createRefusal(signInUrl, response) : toResponse(response)
    }
  }
  const refuseOthers = () => assertPostFromOwnPage(method, headers, context.url.origin, hint)
  return {
    getSession: async () => (await context.getSession()).session,
    requireSession: () => context.requireSession({ method }, refuse(null, "SessionRequired")),
    async requireFreshSession(options) {
      const { session } = await context.getSession()
      return context.requireFreshSession(
        { method },
        options,
        refuse(session, "SessionNotFresh", options),
      )
    },
    async signIn(provider, options, authorizationParams) {
      refuseOthers()
      const isForm = typeof provider === "object"
      const form = isForm ? parseSignInForm(provider) : { provider, options: {} }
      const signInOptions = { ...form.options, ...options }
      return redirect(await context.signIn(form.provider, signInOptions, authorizationParams))
    },
    async signOut(options) {
      refuseOthers()
      return redirect(await context.signOut(options))
    },
    async updateSession(data) {
      refuseOthers()
      return context.updateSession(data)
    },
    getAccessToken: (...input) => context.getAccessToken(...input),
    commit(response) {
      isSent = true
      const lines = collected.getLines()
      return lines.length === 0 ? response : createUncachedResponse(response, lines)
    },
    commitHeaders(responseHeaders) {
      isSent = true
      const lines = collected.getLines()
      if (lines.length > 0) addSetCookieLines(responseHeaders, lines)
    },
  }
}
