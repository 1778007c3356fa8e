/** Types of a compiled configuration, for the packages that connect it to a framework. */
import type { AccountKey, AdapterAccount, AdapterUser } from "./adapters.ts"
import type { Cookie, FlowData, ProviderType, Session } from "./types.ts"

/** A session, and the cookies to set on the response to the same request. */
export interface SessionResult<SessionType = Session> {
  session: SessionType | null
  cookies: readonly Cookie[]
}

/**
 * Receives the cookies to set on an error response. If the `session` callback fails after the `jwt` callback changed
 * the token, for example stored a new refresh token, these cookies may be the only copy of the change.
 */
export type OnFault = (cookies: readonly Cookie[]) => void

/** Facts about a session that the library keeps, apart from the data of your callbacks. */
export interface SessionMetadata {
  /** Only with the option `session.records`. Nobody can sign in with it, so pages may show it. */
  readonly id: string | undefined
  /**
   * When the session began. Known with the strategy `jwt`, and with `database` if one of the options `records`,
   * `absoluteTimeout` and `rememberMe` of `session` is set.
   */
  readonly createdAt: Date | undefined
  /** When the user authenticated: at the provider, if it says so (`auth_time`); otherwise when the session began. */
  readonly authTime: Date | undefined
  /**
   * Id of the provider that the user signed in with. Only with the strategy `jwt`, and `session.records` or
   * `session.keepIdToken`. With `session.records`, `auth.sessions.get` returns it for both strategies.
   */
  readonly provider: string | undefined
  /** Whether the session ends with the browser: the user chose so (`session.rememberMe`). */
  readonly isTemporary: boolean
}

/** A session of a user, as it was recorded. */
export interface SessionInfo {
  /** Nobody can sign in with it, so pages may show it. */
  readonly id: string
  readonly userId: string
  /** When the session began. For sessions from before `session.records`, possibly when they were first recorded. */
  readonly createdAt: Date
  /** When the session was last used, to within `session.records.lastSeenInterval`. */
  readonly lastSeenAt: Date
  /** When the session ends if it is not used again. */
  readonly expires: Date
  /** Id of the provider that the user signed in with. Undefined for sessions from before `session.records`. */
  readonly provider: string | undefined
  /** The type of that provider. */
  readonly method: ProviderType | undefined
  /** When the user authenticated: at the provider, if it says so (`auth_time`); otherwise when the session began. */
  readonly authTime: Date
  /** The level of the authentication, if the provider says so (OpenID Connect Core 2). */
  readonly acr: string | undefined
  /** The methods of the authentication, if the provider says so (RFC 8176). */
  readonly amr: readonly string[] | undefined
  /** The device, if there is `session.records.deviceLabel`. */
  readonly label: string | undefined
  /** The network that the user signed in from, with `session.records.network`. */
  readonly network: string | undefined
}

/** The URL to redirect to, and the cookies to set on the response. */
export interface RedirectResult {
  redirect: string
  cookies: readonly Cookie[]
}

/** The request during which a user signs in or out. */
export interface RequestContext {
  headers: Headers
  /** The URL of the request, with the origin that the browser sees. */
  url: string | URL
  /**
   * The address of the client: of the connection, or of a header that your own proxy sets. Without it, `attemptLimits`
   * count by account only.
   */
  clientAddress?: string | undefined
}

/** Parameters of `signIn`. */
export interface SignInInput extends RequestContext {
  /** Id of the provider. Without one, the result is a redirect to the sign-in page. */
  provider?: string | undefined
  /**
   * Fields of the form: credentials, `email`, `link`, `rememberMe`, and `redirectTo`. For an e-mail provider, `code` signs
   * in with the code of the message.
   */
  options?: Readonly<Record<string, unknown>> | undefined
  /**
   * Where to go if `options` do not say: the page of the form, for example. A code of an e-mail leads to where its
   * request wanted to go instead.
   */
  defaultRedirectTo?: string | undefined
  /** Parameters for the authorization request that your code chose. They replace those of the provider. */
  authorizationParams?: string | URLSearchParams | Record<string, string> | undefined
  /**
   * Data that callbacks and events receive when the sign-in ends: at most 1024 bytes as JSON. Not for e-mail links. It
   * counts as checked by your code, so never pass user input on.
   */
  flow?: FlowData | undefined
  /** Parameters that the browser sent, in a form for example. They replace only the provider's `overridableParams`. */
  browserParams?: SignInInput["authorizationParams"]
}

/** Parameters of `signOut`. */
export interface SignOutInput extends RequestContext {
  options?:
    | {
        readonly redirectTo?: string | undefined
        /**
         * Whether to end the session at the provider, too. The result is then the URL of the provider, if it has an
         * `end_session_endpoint`. @defaultValue false
         */
        readonly federated?: boolean | undefined
      }
    | undefined
}

/** Parameters of `update`. */
export interface UpdateInput extends RequestContext {
  /** Passed to the `jwt` callback (strategy `jwt`) or the `session` callback, which must validate it. */
  data: unknown
}

/** The request of a signed-in user, such as a `Request`. */
export interface AccessTokenRequest {
  readonly headers: Pick<Headers, "get">
  /** The URL of the request, with the origin that the browser sees. */
  readonly url: string | URL
  /**
   * Whether the response can still set cookies. If false, tokens in the session are not refreshed: nothing would keep the
   * new ones.
   *
   * @defaultValue true
   */
  readonly canSetCookies?: boolean
}

/** A user by id, or the request of the signed-in user. */
export type AccessTokenSource = string | AccessTokenRequest

/** Options of `token`. */
export interface AccessTokenOptions {
  /**
   * How long the token has to be valid, in seconds: one that expires earlier is refreshed.
   *
   * @defaultValue 60
   */
  refreshBefore?: number | undefined
  /** The account, for users who have several at the provider: its id there. */
  providerAccountId?: string | undefined
}

/** An access token of a provider. */
export interface AccessToken {
  accessToken: string
  /** When it expires, in seconds since 1970. Undefined if the provider did not say. */
  expiresAt: number | undefined
  /** The scopes that the provider granted, separated by spaces, if it said so. */
  scope: string | undefined
  /** In lower case: `bearer`, usually. */
  tokenType: string | undefined
  /** The latest ID token. Not with tokens in the session. */
  idToken: string | undefined
  /** The id of the account at the provider. */
  providerAccountId: string
}

/** An access token, and the cookies to set on the response: there are some only with tokens in the session. */
export interface AccessTokenResult extends AccessToken {
  cookies: readonly Cookie[]
}

/** An account of a user, without its tokens. */
export type LinkedAccount = Pick<AdapterAccount, "provider" | "providerAccountId" | "type">

/** When a session began. One of the times is enough. */
export interface SessionStart {
  readonly createdAt?: Date | undefined
  /** The claim of session tokens: seconds since 1970. */
  readonly signedInAt?: number | undefined
}

/** Parameters of `accounts.unlink`. */
export interface UnlinkInput extends AccountKey {
  /** The user who has the account. */
  userId: string
  /** The session of the person who requests it, as `getSession` returned it; or a `SessionStart`. */
  session: object
  /** How long ago its user may have authenticated, in seconds. @defaultValue 600 */
  maxAge?: number | undefined
  /** Whether the user can sign in with credentials, which only your code stores. @defaultValue false */
  hasCredentials?: boolean | undefined
}

/**
 * Functions for server code that read and change stored users. They do not check who may do so: take ids from the
 * session, or check that the person is an administrator.
 */
export interface ServerAuth {
  readonly accounts: {
    /**
     * Returns the accounts of a user.
     *
     * @throws MissingAdapterMethods, AdapterError
     */
    list(userId: string): Promise<LinkedAccount[]>
    /**
     * Unlinks an account, with its passkey if it is one, and sends the event `unlinkAccount`. Returns the account; null
     * if the user has no such account.
     *
     * @throws SessionNotFresh if the user authenticated too long ago
     * @throws LastAccount if the user could not sign in any more
     * @throws MissingAdapterMethods, AdapterError
     */
    unlink(input: UnlinkInput): Promise<LinkedAccount | null>
  }
  /** Needs the option `session.records`. Each function throws `InvalidOption` without it. */
  readonly sessions: {
    /**
     * Returns the sessions of a user, the latest first.
     *
     * @throws AdapterError
     */
    list(userId: string): Promise<SessionInfo[]>
    /**
     * Returns a session; null if there is none with this id, or it has ended.
     *
     * @throws AdapterError
     */
    get(id: string): Promise<SessionInfo | null>
    /**
     * Ends a session. Returns it; null if there is none with this id. Other processes refuse it within
     * `session.records.pollInterval`.
     *
     * @throws AdapterError
     */
    revoke(id: string): Promise<SessionInfo | null>
    /**
     * Ends all sessions of a user, and returns how many there were.
     *
     * @param options `except` is the id of a session that stays, such as the one of the request
     * @throws AdapterError
     */
    revokeAll(userId: string, options?: { readonly except?: string | undefined }): Promise<number>
    /**
     * Changes the data of a session, as its client could: its next check calls the `jwt` callback with the trigger
     * `update` and `session: data` (strategy `jwt`), or the `session` callback with `newSession: data`. Returns false
     * if there is no session with this id.
     *
     * @param data at most 900 bytes as JSON
     * @throws TypeError for data that is too large, or no JSON
     * @throws AdapterError
     */
    update(id: string, data: unknown): Promise<boolean>
  }
  /**
   * Returns an access token of a provider for a user, refreshed if it has to be.
   *
   * @param provider id of the provider
   * @throws AccessTokenError when there is no token that can be used; `needsSignIn` says what helps
   * @throws MissingAdapter, MissingAdapterMethods, AdapterError
   */
  token(provider: string, userId: string, options?: AccessTokenOptions): Promise<AccessToken>
  readonly users: {
    /**
     * Deletes a user with all accounts, sessions, passkeys and tokens of e-mail links, and sends the event
     * `deleteUser`. Returns the user; null if there is none. Sessions in sealed cookies end only with the option
     * `session.records`.
     *
     * @throws MissingAdapterMethods, AdapterError
     */
    delete(userId: string): Promise<AdapterUser | null>
  }
}

/** A compiled configuration, whose sessions have the type `SessionType`. */
export interface LatchkeyAuth<SessionType = Session> extends ServerAuth {
  /** The base path of the actions. */
  readonly basePath: string
  /**
   * Responds to a request to one of the actions. Never rejects.
   *
   * @param url the URL of the request, with the origin that the browser sees. Defaults to `request.url`.
   * @param clientAddress see `RequestContext`
   */
  handle(request: Request, url?: string | URL, clientAddress?: string): Promise<Response>
  /**
   * Returns the session of a request.
   *
   * @param url the URL of the request, with the origin that the browser sees
   * @param onFault called before the error is thrown if the error response should set cookies
   * @throws AuthError if the session could not be checked. It may still be valid.
   */
  session(
    headers: Headers,
    url: string | URL,
    onFault?: OnFault,
  ): Promise<SessionResult<SessionType>>
  /**
   * Starts a sign-in, or signs in with credentials or the code of an e-mail. Does not check for a CSRF token: the caller
   * must make sure that the request comes from a page of the application.
   *
   * @throws AuthError if the sign-in is refused, for example `CredentialsSignin`
   */
  signIn(input: SignInInput): Promise<RedirectResult>
  /**
   * Ends the session. Does not check for a CSRF token: the caller must make sure that the request comes from a page of
   * the application.
   *
   * @throws AuthError if the session could not be ended. It is then still valid.
   */
  signOut(input: SignOutInput): Promise<RedirectResult>
  /**
   * Changes the data of the session. Does not check for a CSRF token: the caller must make sure that the request comes
   * from a page of the application. `session` is null if nobody is signed in.
   *
   * @throws AuthError if the session could not be checked. It may still be valid, and has not changed.
   */
  update(input: UpdateInput): Promise<SessionResult<SessionType>>
  /**
   * Returns an access token of a provider that is valid for at least `refreshBefore` seconds. Refreshes it if it has to,
   * once for all requests, also in other processes if the adapter has leases.
   *
   * If the refresh fails although a later one may succeed, the token is returned for as long as it is valid.
   *
   * @param provider id of the provider
   * @throws AccessTokenError when there is no token that can be used; `needsSignIn` says what helps
   * @throws MissingAdapterMethods when the adapter cannot list or update accounts
   */
  token(
    provider: string,
    source: AccessTokenSource,
    options?: AccessTokenOptions,
  ): Promise<AccessTokenResult>
}

/** The response of `Auth` in `raw` mode. */
export interface RawResponse {
  status?: number
  headers?: Headers
  body?: unknown
  redirect?: string
  cookies?: Cookie[]
}
