/** What a compiled configuration offers to the packages that mount it in a framework. */
import type { Cookie, Session } from "./types.ts"

/** A session, and the cookies that the answer to the same request should set. */
export interface SessionResult<SessionType = Session> {
  session: SessionType | null
  cookies: readonly Cookie[]
}

/**
 * Takes the cookies of an answer that tells of a fault. What a `jwt` callback changed before the `session` callback
 * failed, such as a refresh token that replaced another, may exist nowhere else.
 */
export type OnFault = (cookies: readonly Cookie[]) => void

/** Where to send the browser, and the cookies that the answer should set. */
export interface RedirectResult {
  redirect: string
  cookies: readonly Cookie[]
}

/** The request in whose answer a person signs in or out. */
export interface RequestContext {
  headers: Headers
  /** The URL of the request, with the origin that the browser sees. */
  url: string | URL
}

/** What to sign in with, and how. */
export interface SignInInput extends RequestContext {
  /** Id of the provider; without one, the browser is sent to the sign-in page. */
  provider?: string | undefined
  /** Fields of the form: credentials, `email`, `link`, and `redirectTo`. */
  options?: Readonly<Record<string, unknown>> | undefined
  authorizationParams?: string | URLSearchParams | Record<string, string> | undefined
}

/** Where to go after signing out. */
export interface SignOutInput extends RequestContext {
  options?: { readonly redirectTo?: string | undefined } | undefined
}

/** What to change in a session. */
export interface UpdateInput extends RequestContext {
  /** Handed to the `jwt` callback (strategy `jwt`) or the `session` callback, which have to validate it. */
  data: unknown
}

/** A compiled configuration, whose sessions are of the type `Given`. */
export interface LatchkeyAuth<SessionType = Session> {
  /** The path that the actions are under. */
  readonly basePath: string
  /**
   * Answers a request to one of the actions. Always resolves; never rejects.
   *
   * @param url of the request, with the origin that the browser sees; without it, that of the request counts
   */
  handle(request: Request, url?: string | URL): Promise<Response>
  /**
   * The session of a request.
   *
   * @param url of the request, with the origin that the browser sees
   * @param onFault is called before it throws, where the answer should set cookies all the same
   * @throws AuthError when the session could not be checked; it may still be valid
   */
  session(
    headers: Headers,
    url: string | URL,
    onFault?: OnFault | undefined,
  ): Promise<SessionResult<SessionType>>
  /**
   * Begins a sign-in, or signs in with credentials, on behalf of application code that made sure that the
   * request is the person's own.
   *
   * @throws AuthError when it is refused, such as `CredentialsSignin`
   */
  signIn(input: SignInInput): Promise<RedirectResult>
  /**
   * Ends the session, on behalf of application code that made sure that the request is the person's own.
   *
   * @throws AuthError when it could not be ended; it is then still valid
   */
  signOut(input: SignOutInput): Promise<RedirectResult>
  /**
   * Changes what the session holds, on behalf of application code that made sure that the request is the
   * person's own. The session is null for nobody.
   *
   * @throws AuthError when the session could not be checked; it may still be valid, and is as it was
   */
  update(input: UpdateInput): Promise<SessionResult<SessionType>>
}

/** The answer of `Auth` in `raw` mode. */
export interface RawResponse {
  status?: number
  headers?: Headers
  body?: unknown
  redirect?: string
  cookies?: Cookie[]
}
