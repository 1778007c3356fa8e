import { getErrorCookies } from "../engine/request-errors.ts"
import { removeChunkSuffix } from "../http/cookie-chunks.ts"
import { parseCookieName, serializeCookie } from "../http/cookies.ts"
import type { RequestHeaders } from "../http/incoming-request.ts"
import type {
  AccessToken,
  AccessTokenOptions,
  AuthorizationParams,
  AuthRequest,
  RedirectResult,
  SessionResult,
  SignInOptions,
  SignOutOptions,
} from "../latchkey-auth.ts"
import type { Cookie, Session } from "../types.ts"
import type { IntegratedAuth } from "./auth-resolver.ts"
import {
  createSignInUrl,
  type FreshSessionOptions,
  findSignInUrl,
  type GuardedRequest,
} from "./guard.ts"
import { applySetCookies, type ResponseCookies } from "./set-cookie.ts"

/** How often in a row other code may change the session while an access token is refreshed. */
const maxTries = 5

/** The last call of `getAccessToken` for each request. */
const lastCalls = new WeakMap<object, Promise<unknown>>()

/** The parts of a request and its response, as the framework has them. */
export interface AuthContextInit {
  readonly headers: RequestHeaders
  /** Returns the URL of the request as the browser sees it. May throw InvalidRequest. */
  readonly resolveUrl: () => URL
  readonly cookies: ResponseCookies
  /** The address that the framework trusts, never a header that clients can set. */
  readonly clientAddress?: string | undefined
  /** An object that lives as long as the request, and is the same for all contexts of it. @defaultValue `headers` */
  readonly request?: object
}

/** A request and the compiled configuration that answers it. Its methods set cookies on the response. */
export class AuthContext implements AuthRequest {
  readonly integratedAuth: IntegratedAuth
  readonly cookies: ResponseCookies
  readonly clientAddress: string | undefined
  readonly #init: AuthContextInit
  readonly #request: object
  #session: Promise<SessionResult> | undefined

  constructor(integratedAuth: IntegratedAuth, init: AuthContextInit) {
    this.integratedAuth = integratedAuth
    this.cookies = init.cookies
    this.clientAddress = init.clientAddress
    this.#init = init
    this.#request = init.request ?? init.headers
  }

  /**
   * The URL of the request as the browser sees it.
   *
   * @throws InvalidRequest 400 when nothing names a host
   */
  get url(): URL {
    return this.#init.resolveUrl()
  }

  /** The headers of the request with the cookies that the browser will have after the response so far. */
  get headers(): RequestHeaders {
    return createCurrentHeaders(this.#init)
  }

  get #canSetCookies(): boolean {
    return this.cookies.canSet?.() ?? true
  }

  /**
   * Returns the session, which is read once per context.
   *
   * A sign-in or sign-out that happens meanwhile wins: the cookies of the read are then dropped. If the response has been
   * sent, the read changes nothing; a later request renews the session.
   *
   * @throws AuthError when the session could not be checked
   */
  getSession(): Promise<SessionResult> {
    this.#session ??= this.#readSession()
    return this.#session
  }

  async #readSession(): Promise<SessionResult> {
    const { engine } = this.integratedAuth
    const addCookies = trackSessionRead(this.#request, this.cookies)
    try {
      const result = await engine.getSession(this, { canSetCookies: this.#canSetCookies })
      addCookies(result.cookies)
      return result
    } catch (error) {
      addCookies(getErrorCookies(error), true)
      throw error
    }
  }

  /**
   * Changes the session. Returns the new one, or null when nobody is signed in.
   *
   * @throws AuthError when the session could not be checked
   */
  async updateSession(data: unknown): Promise<Session | null> {
    const result = await this.integratedAuth.engine.updateSession(this, data)
    this.cookies.set(result.cookies)
    this.#session = Promise.resolve(result)
    return result.session
  }

  /**
   * Starts a sign-in, or signs in with credentials. Returns where to send the browser.
   *
   * @throws AuthError when the sign-in is refused
   */
  async signIn(
    provider?: string,
    options?: SignInOptions,
    authorizationParams?: AuthorizationParams,
  ): Promise<string> {
    const { engine } = this.integratedAuth
    return this.#complete(await engine.signIn(this, provider, options, authorizationParams))
  }

  /**
   * Ends the session. Returns where to send the browser.
   *
   * @throws AuthError when the session could not be ended
   */
  async signOut(options?: SignOutOptions): Promise<string> {
    return this.#complete(await this.integratedAuth.engine.signOut(this, options))
  }

  #complete({ redirect, cookies }: RedirectResult): string {
    this.cookies.set(cookies)
    this.#session = undefined
    return redirect
  }

  /**
   * Returns an access token of the signed-in user.
   *
   * Calls for the same request run one after the other, so that none overwrites the tokens of another one: those that are
   * kept in the session are stored only in its cookie.
   *
   * @throws AccessTokenError when there is no token that can be used
   */
  getAccessToken(provider: string, options?: AccessTokenOptions): Promise<AccessToken> {
    const call = () => this.#readAccessToken(provider, options)
    const result = (lastCalls.get(this.#request) ?? Promise.resolve()).then(call, call)
    lastCalls.set(this.#request, result)
    return result
  }

  async #readAccessToken(provider: string, options?: AccessTokenOptions): Promise<AccessToken> {
    const { engine } = this.integratedAuth
    for (let tries = 1; ; tries++) {
      const addCookies = trackSessionRead(this.#request, this.cookies)
      const readOptions = { canSetCookies: this.#canSetCookies, ...options }
      const { cookies, ...token } = await engine.getAccessToken(this, provider, readOptions)
      if (cookies.length > 0) this.#session = undefined
      // If the session was renewed meanwhile, the new one needs the tokens. They are not refreshed again.
      if (addCookies(cookies) || tries === maxTries) return token
    }
  }

  /**
   * Returns the session, or calls `leave` with the URL of the sign-in page if nobody is signed in.
   *
   * @param request the method, and what differs from the request of this context
   * @throws AuthError when the session could not be checked
   */
  async requireSession(
    request: OwnGuardedRequest,
    leave: (signInUrl: string) => never,
  ): Promise<Session> {
    const { session } = await this.getSession()
    return session ?? leave(createSignInUrl(this.integratedAuth.engine, this.#guard(request)))
  }

  /** As {@link requireSession}, but calls `leave` unless the user authenticated recently. */
  async requireFreshSession(
    request: OwnGuardedRequest,
    options: FreshSessionOptions | undefined,
    leave: (signInUrl: string) => never,
  ): Promise<Session> {
    const { session } = await this.getSession()
    const { engine } = this.integratedAuth
    const signInUrl = await findSignInUrl(engine, session, this.#guard(request), options)
    if (session && signInUrl === undefined) return session
    return leave(signInUrl ?? "/")
  }

  #guard(request: OwnGuardedRequest): GuardedRequest {
    return { headers: this.#init.headers, url: this.url, ...request }
  }
}

/** The guarded request, as far as it differs from the request of the context. */
type OwnGuardedRequest = Partial<GuardedRequest> & Pick<GuardedRequest, "method">

/** Returns the headers of a request, with the cookies that the browser will have after the response so far. */
function createCurrentHeaders({ headers, cookies }: AuthContextInit): RequestHeaders {
  const cookie = applySetCookies(headers.get("cookie"), cookies.getLines())
  const isCookie = (name: string) => name.toLowerCase() === "cookie"
  return {
    get: (name) => (isCookie(name) ? cookie : headers.get(name)),
    *[Symbol.iterator]() {
      for (const header of headers) if (!isCookie(header[0])) yield header
      if (cookie !== "") yield ["cookie", cookie]
    },
  }
}

/**
 * For each request, the states that failed reads left the cookies in, and the states that they replaced. A failed read
 * does not count as a sign-in or sign-out.
 */
const replacedStates = new WeakMap<object, Map<string, string>>()

/**
 * Remembers the response's session cookies from before the read. Returns a function that adds the cookies of the read,
 * unless a sign-in or sign-out has changed the session cookies meanwhile, or the response has been sent. It returns
 * whether the cookies still apply.
 *
 * @param request any object that lives as long as the request
 */
function trackSessionRead(request: object, response: ResponseCookies) {
  const initialLines = response.getLines()

  return (cookies: readonly Cookie[], hasFailed = false): boolean => {
    if (cookies.length === 0) return true
    const states = replacedStates.get(request) ?? new Map<string, string>()
    const baseNames = new Set(cookies.map(({ name }) => removeChunkSuffix(name)))
    const isSessionLine = (line: string) => baseNames.has(removeChunkSuffix(parseCookieName(line)))
    const getState = (lines: readonly string[]) => lines.filter(isSessionLine).join("\n")
    const getOriginalState = (state: string) => states.get(state) ?? state
    const initialState = getOriginalState(getState(initialLines))
    if (getOriginalState(getState(response.getLines())) !== initialState) return false
    cookies.forEach(serializeCookie) // throws for cookies that cannot be set
    try {
      response.set(cookies)
    } catch {
      return true // the response has been sent
    }
    if (hasFailed)
      replacedStates.set(request, states.set(getState(response.getLines()), initialState))
    return true
  }
}
