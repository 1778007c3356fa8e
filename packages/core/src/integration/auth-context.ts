import { getErrorCookies } from "../engine/request-errors.ts"
import type { Engine } from "../engine.ts"
import { removeChunkSuffix } from "../http/cookie-chunks.ts"
import { parseCookieName, serializeCookie } from "../http/cookies.ts"
import type { HeaderReader, RequestHeaders } from "../http/incoming-request.ts"
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
import { getAuthenticationAge, isRecent } from "../sessions/session-facts.ts"
import type { Cookie, Session } from "../types.ts"
import type { IntegratedAuth } from "./auth-resolver.ts"
import { getRedirectLocation } from "./request-url.ts"
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
   * Returns the session, or calls `leave` with the URL of the sign-in page unless its user authenticated recently.
   *
   * @param request the method, and what differs from the request of this context
   * @throws AuthError when the session could not be checked
   */
  async requireFreshSession(
    request: Partial<GuardedRequest> & Pick<GuardedRequest, "method">,
    options: FreshSessionOptions | undefined,
    leave: (signInUrl: string) => never,
  ): Promise<Session> {
    const { session } = await this.getSession()
    const { engine } = this.integratedAuth
    const guarded = { headers: this.#init.headers, url: this.url, ...request }
    const signInUrl = await findSignInUrl(engine, session, guarded, options)
    if (session && signInUrl === undefined) return session
    return leave(signInUrl ?? "/")
  }
}

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

const unknownTimeMessage =
  "Expected sessions that know when their users authenticated. Set `session.absoluteTimeout`, `session.rememberMe` or " +
  "`session.records`: without one of them, sessions in a database do not store the time."

/** Options of the guard. */
export interface FreshSessionOptions {
  /** How long ago the user may have authenticated, in seconds. @defaultValue 600 */
  readonly maxAge?: number | undefined
}

/** The guarded request. */
export interface GuardedRequest {
  readonly method: string
  readonly headers: HeaderReader
  /** The URL of the page, with the origin that the browser sees. */
  readonly url: URL
  /** Whether the person is on another page, whose script sends the request. By default, if the method is not GET. */
  readonly isFromPage?: boolean | undefined
  /** The path of the first page of the application. @defaultValue `"/"` */
  readonly startPage?: string | undefined
}

/**
 * Returns where to send the person before the request may go on: to the sign-in page, and back. Undefined if the session
 * is fresh.
 *
 * @throws TypeError for a `maxAge` or a configuration with which nobody could ever pass
 */
export async function findSignInUrl(
  { getSignInPage, knowsSessionTimes }: Pick<Engine, "getSignInPage" | "knowsSessionTimes">,
  session: Session | null,
  request: GuardedRequest,
  { maxAge = 600 }: FreshSessionOptions = {},
): Promise<string | undefined> {
  if (!(maxAge >= 1)) throw new TypeError("`maxAge` must be a number of seconds, at least 1")
  const age = getAuthenticationAge(session)
  if (isRecent(age, maxAge)) return undefined
  // Nobody could ever pass, however often they sign in.
  if (session && Number.isNaN(age) && !knowsSessionTimes) throw new TypeError(unknownTimeMessage)
  const { origin } = request.url
  const url = new URL(getSignInPage(origin), origin)
  url.searchParams.set("prompt", "login")
  url.searchParams.set("callbackUrl", findReturnPath(request))
  return getRedirectLocation(url, origin)
}

/** Returns where the person was. Nobody can return to a form that was sent, so that is the page with the form. */
function findReturnPath({
  method,
  headers,
  url,
  isFromPage = method !== "GET" && method !== "HEAD",
  startPage = "/",
}: GuardedRequest): string {
  if (!isFromPage) return getRedirectLocation(url, url.origin)
  const referer = headers.get("referer") ?? ""
  const page = URL.canParse(referer) ? new URL(referer) : undefined
  return page?.origin === url.origin ? getRedirectLocation(page, url.origin) : startPage
}
