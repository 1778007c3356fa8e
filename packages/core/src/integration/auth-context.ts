import type {
  AccessToken,
  AccessTokenOptions,
  RedirectResult,
  RequestContext,
  SessionResult,
  SignInInput,
  SignOutInput,
} from "../latchkey-auth.ts"
import type { Session } from "../types.ts"
import { getRequestAccessToken } from "./access-token.ts"
import type { IntegratedAuth } from "./auth-resolver.ts"
import { type FreshSessionOptions, findSignInUrl, type GuardedRequest } from "./fresh-session.ts"
import { readSession } from "./session-read.ts"
import { applySetCookies, type ResponseCookies } from "./set-cookie.ts"

/** Parameters of `signIn`. Without a provider, the browser is redirected to the sign-in page. */
export type SignInFields = Omit<SignInInput, keyof RequestContext>

/** A request and the compiled configuration that answers it. Its methods set cookies on the response. */
export class AuthContext {
  readonly integratedAuth: IntegratedAuth
  readonly cookies: ResponseCookies
  readonly #requestHeaders: Headers
  readonly #resolveUrl: () => URL
  readonly clientAddress: string | undefined
  #session: Promise<SessionResult> | undefined

  /**
   * @param resolveUrl returns the URL of the request as the browser sees it; may throw InvalidRequest
   * @param clientAddress what the framework trusts, never a header that clients can set
   */
  constructor(
    integratedAuth: IntegratedAuth,
    requestHeaders: Headers,
    resolveUrl: () => URL,
    cookies: ResponseCookies,
    clientAddress?: string,
  ) {
    this.integratedAuth = integratedAuth
    this.cookies = cookies
    this.#requestHeaders = requestHeaders
    this.#resolveUrl = resolveUrl
    this.clientAddress = clientAddress
  }

  /**
   * The URL of the request as the browser sees it.
   *
   * @throws InvalidRequest 400 when nothing names a host
   */
  get url(): URL {
    return this.#resolveUrl()
  }

  /** The headers of the request with the cookies that the browser will have after the response so far. */
  get headers(): Headers {
    const headers = new Headers(this.#requestHeaders)
    headers.set("cookie", applySetCookies(headers.get("cookie"), this.cookies.getLines()))
    return headers
  }

  /**
   * Reads the session once per context.
   *
   * @throws AuthError when the session could not be checked
   */
  readSession(): Promise<SessionResult> {
    const { engine } = this.integratedAuth
    const request = this.#requestHeaders
    this.#session ??= readSession(engine, this.headers, this.url, request, this.cookies, this)
    return this.#session
  }

  /**
   * Reads the session, and calls `leave` with the URL of the sign-in page unless its user authenticated recently.
   *
   * @param request the method, and what differs from the request of this context
   * @throws AuthError when the session could not be checked
   */
  async requireFreshSession(
    request: Partial<GuardedRequest> & Pick<GuardedRequest, "method">,
    options: FreshSessionOptions | undefined,
    leave: (signInUrl: string) => never,
  ): Promise<Session> {
    const { session } = await this.readSession()
    const { engine } = this.integratedAuth
    const guarded = { headers: this.#requestHeaders, url: this.url, ...request }
    const signInUrl = await findSignInUrl(engine, session, guarded, options)
    if (session && signInUrl === undefined) return session
    return leave(signInUrl ?? "/")
  }

  /**
   * Starts a sign-in, or signs in with credentials. Returns where to send the browser.
   *
   * @throws AuthError when the sign-in is refused
   */
  async signIn(fields: SignInFields): Promise<string> {
    const { headers, url, clientAddress, integratedAuth } = this
    const context = { headers, url, clientAddress }
    return this.#complete(await integratedAuth.engine.signIn({ ...fields, ...context }))
  }

  /**
   * Ends the session. Returns where to send the browser.
   *
   * @throws AuthError when the session could not be ended
   */
  async signOut(options: NonNullable<SignOutInput["options"]>): Promise<string> {
    const { headers, url, clientAddress, integratedAuth } = this
    const input = { options, headers, url, clientAddress }
    return this.#complete(await integratedAuth.engine.signOut(input))
  }

  /**
   * Returns an access token of the signed-in user.
   *
   * @throws AccessTokenError when there is no token that can be used
   */
  async getAccessToken(provider: string, options?: AccessTokenOptions): Promise<AccessToken> {
    const { engine } = this.integratedAuth
    const { cookies } = this
    const lines = cookies.getLines().length
    const request = this.#requestHeaders
    const getHeaders = () => this.headers
    const token = await getRequestAccessToken(
      engine,
      getHeaders,
      this.url,
      request,
      cookies,
      provider,
      options,
    )
    // The session has changed if the tokens are in it.
    if (cookies.getLines().length !== lines) this.#session = undefined
    return token
  }

  #complete({ redirect, cookies }: RedirectResult): string {
    this.cookies.set(cookies)
    this.#session = undefined
    return redirect
  }

  /**
   * Changes the session. Returns the new one, or null when nobody is signed in.
   *
   * @throws AuthError when the session could not be checked
   */
  async updateSession(data: unknown): Promise<Session | null> {
    const { headers, url, clientAddress, integratedAuth } = this
    const result = await integratedAuth.engine.update({ data, headers, url, clientAddress })
    this.cookies.set(result.cookies)
    this.#session = Promise.resolve(result)
    return result.session
  }
}
