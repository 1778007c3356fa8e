/** Types of a compiled configuration, for the packages that connect it to a framework. */
import type { AccountKey, AdapterAccount, AdapterUser } from "./adapters.ts"
import type { Cookie, FlowData, ProviderType, Session } from "./types.ts"

/** A request: a `Request`, or an object with the same headers and URL. */
export interface AuthRequest {
  /** A `Headers`, or an object that reads single headers and lists all of them. */
  readonly headers: Pick<Headers, "get"> & Iterable<[name: string, value: string]>
  /** The URL of the request, with the origin that the browser sees. */
  readonly url: string | URL
  /**
   * The address of the client: of the connection, or of a header that your own proxy sets. Without it, `attemptLimits`
   * count by account only.
   */
  readonly clientAddress?: string | undefined
}

/** Options of `handle`. */
export interface HandleOptions {
  /** The URL of the request, with the origin that the browser sees. @defaultValue `request.url` */
  readonly url?: string | URL | undefined
  /** The address of the client, as in `AuthRequest`. */
  readonly clientAddress?: string | undefined
}

/** Options of `getSession`. */
export interface GetSessionOptions {
  /**
   * Whether the response can set cookies. If false, the read changes nothing: the session is not renewed, nothing is
   * stored, an invalid cookie stays, and `cookies` is empty. The `jwt` callback receives `canSetCookies`, so that it does
   * not use up a refresh token whose successor would be lost.
   *
   * @defaultValue true
   */
  readonly canSetCookies?: boolean | undefined
}

/** A session, and the cookies to set on the response to the same request. */
export interface SessionResult<SessionType = Session> {
  session: SessionType | null
  cookies: readonly Cookie[]
}

/** The facts about a session. `auth.sessions` returns all of them, `getSessionInfo` some. */
export interface SessionInfo {
  /** Of sessions in cookies, and with `session.records`. Nobody can sign in with it, so pages may show it. */
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
  /** The level of the authentication, if the provider says so (OpenID Connect Core 2); otherwise `2` at level 2. */
  readonly acr: string | undefined
  /** The methods of the authentication, if the provider says so, and those of the second factor (RFC 8176). */
  readonly amr: readonly string[] | undefined
  /** The device, if there is `session.records.deviceLabel`. */
  readonly label: string | undefined
  /** The network that the user signed in from, with `session.records.network`. */
  readonly network: string | undefined
  /** How many factors the user has proven: 2 with a second factor. */
  readonly level: 1 | 2
  /** When the user proved the second factor. */
  readonly factorTime: Date | undefined
  /** Whether the session ends with the browser (`session.rememberMe`). Only `getSessionInfo` knows it. */
  readonly isTemporary?: boolean
}

/** The URL to redirect to, and the cookies to set on the response. */
export interface RedirectResult {
  redirect: string
  cookies: readonly Cookie[]
}

/** Parameters for the authorization request. */
export type AuthorizationParams = string | URLSearchParams | Readonly<Record<string, string>>

/** Options of `signIn`. What a browser may have sent is in `fields` and `browserParams`; your code chooses the others. */
export interface SignInOptions {
  /**
   * Fields of the form: credentials, `email`, `link`, `rememberMe`, and `redirectTo`. For an e-mail provider, `code` signs
   * in with the code of the message.
   */
  readonly fields?: Readonly<Record<string, unknown>> | undefined
  /** Parameters that the browser sent, in a form for example. They replace only the provider's `overridableParams`. */
  readonly browserParams?: AuthorizationParams | undefined
  /** Where to go after the sign-in. Replaces `redirectTo` of the fields. */
  readonly redirectTo?: string | undefined
  /**
   * Where to go if nothing else says so, such as to the page of the form. The code of an e-mail leads where its request
   * wanted to go instead.
   */
  readonly defaultRedirectTo?: string | undefined
  /**
   * Data that callbacks and events receive when the sign-in ends: at most 1024 bytes as JSON. Not for e-mail links. It
   * counts as checked by your code, so never pass user input on.
   */
  readonly flow?: FlowData | undefined
}

/** Options of `signOut`. */
export interface SignOutOptions {
  /** Where to go after the sign-out. */
  readonly redirectTo?: string | undefined
  /**
   * Whether to end the session at the provider, too. The result is then the URL of the provider, if it has an
   * `end_session_endpoint`. @defaultValue false
   */
  readonly federated?: boolean | undefined
}

/** The user whose access token is wanted: the one who sent a request, or the one with an id. */
export type AccessTokenUser = AuthRequest | { readonly userId: string }

/** Options of `getAccessToken`. */
export interface AccessTokenOptions {
  /**
   * How long the token has to be valid, in seconds: one that expires earlier is refreshed.
   *
   * @defaultValue 60
   */
  readonly refreshBefore?: number | undefined
  /** The id of the account at the provider, for users who have several there. */
  readonly providerAccountId?: string | undefined
  /**
   * Whether the response can set cookies. If false, the read changes nothing, as in `getSession`, and no token is
   * refreshed: one that has expired is an `AccessTokenError`. Not for `{ userId }`, which needs no response.
   *
   * @defaultValue true
   */
  readonly canSetCookies?: boolean | undefined
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
  /**
   * The session of the user, as `getSession` returned it; or a `SessionStart`, if your code has authenticated the person
   * who requests it, for example an administrator.
   */
  session: object
  /** How long ago its user may have authenticated, in seconds. @defaultValue 600 */
  maxAge?: number | undefined
  /** Whether the user can sign in with credentials, which only your code stores. @defaultValue false */
  hasCredentials?: boolean | undefined
}

/** A passkey of a user. */
export interface PasskeyInfo {
  /** The id of the credential, in base64url. Nobody can sign in with it, so pages may show it. */
  readonly id: string
  /** The id of the provider. */
  readonly provider: string
  /** The name that the user has chosen, or else that of the authenticator, such as `Bitwarden`, if it is known. */
  readonly name: string | undefined
  /** Undefined if it was created before these facts were kept. */
  readonly createdAt: Date | undefined
  /** Undefined if it was not used since then. */
  readonly lastUsedAt: Date | undefined
  /** Whether it can be on several devices. */
  readonly isSynced: boolean
  /** Whether there was a backup when it was last used. */
  readonly isBackedUp: boolean
  /** How the authenticator is reached, such as `internal` or `usb`. */
  readonly transports: readonly string[]
}

/** Names a passkey of a user. */
export interface PasskeyKey {
  /** The user who has the passkey. */
  userId: string
  /** The id of the passkey, as `list` returns it. */
  id: string
}

/** Parameters of `passkeys.rename`. */
export interface RenamedPasskeyInput extends PasskeyKey {
  /** Text of 1 to 64 characters. */
  name: string
}

/** Parameters of `passkeys.delete`. */
export interface DeletedPasskeyInput
  extends PasskeyKey,
    Pick<UnlinkInput, "session" | "maxAge" | "hasCredentials"> {}

/** The content of `/.well-known/webauthn` (WebAuthn Level 3, section 5.11). */
export interface RelatedOrigins {
  readonly origins: readonly string[]
}

/** The kinds of second factors. */
export type FactorMethodId = "totp" | "recovery-codes" | "passkey" | "email-codes"

/**
 * A second factor of a user, without its secret. If the secret of the application that encrypted it is gone, `left`,
 * `expires` and `address` are absent.
 */
export interface FactorInfo {
  /** Nobody can sign in with it, so pages may show it. */
  readonly id: string
  /** `trusted-device`: no factor, but a device on which the user is not asked for one. */
  readonly method: Exclude<FactorMethodId, "passkey"> | "trusted-device"
  readonly createdAt: Date
  /** How many recovery codes have not been used. */
  readonly left?: number
  /** Until when the device is trusted. */
  readonly expires?: Date
  /** Where codes by e-mail are sent. */
  readonly address?: string
}

/** Parameters of functions that change the second factors of a user. */
export interface FactorInput {
  userId: string
  /**
   * The session of the user, as `getSession` returned it; or a `SessionStart`, if your code has authenticated the person
   * who requests it, for example an administrator.
   */
  session: object
  /** How long ago its user may have authenticated, in seconds. @defaultValue 600 */
  maxAge?: number | undefined
}

/** The secret of a new authenticator app, in the forms that people need. */
export interface FactorSetup {
  /** The secret in base32, for people who type it. */
  readonly secret: string
  /** The URL for a QR code. */
  readonly url: string
  /** The sealed secret, for a hidden field of the form that confirms it. It is valid for 15 minutes. */
  readonly setup: string
}

/** Parameters of `factors.confirmTotp` and `factors.confirmEmailCodes`. */
export interface ConfirmFactorInput extends FactorInput {
  /** As `startTotp` or `startEmailCodes` returned it. */
  setup: string
  /** The code that the app shows, or that was sent. */
  code: string
}

/** Codes by e-mail that wait for the first code, which was sent. */
export interface EmailCodesSetup {
  /** The address of the user, to which the code was sent. */
  readonly address: string
  /** Sealed, for a hidden field of the form that confirms it. It is valid for 10 minutes. */
  readonly setup: string
}

/** An authenticator app that was added, or codes by e-mail. */
export interface AddedFactor {
  readonly factor: FactorInfo
  /** New recovery codes, if the user had none. Show them once: only their hashes are stored. */
  readonly recoveryCodes?: readonly string[]
}

/** Parameters of `factors.remove`. */
export interface RemovedFactorInput extends FactorInput {
  /** The id of the factor. */
  id: string
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
     * @throws SessionNotFresh if the user authenticated too long ago, or the session is that of another user
     * @throws LastAccount if the user could not sign in any more
     * @throws MissingAdapterMethods, AdapterError
     */
    unlink(input: UnlinkInput): Promise<LinkedAccount | null>
  }
  /** The passkeys of users. Each function throws `InvalidProvider` without a passkey provider. */
  readonly passkeys: {
    /**
     * Returns the passkeys of a user, the oldest first. Their names and times need an adapter with the methods for second
     * factors, such as `SqlAdapter` with `secondFactor: true`.
     *
     * @throws MissingAdapterMethods, AdapterError
     */
    list(userId: string): Promise<PasskeyInfo[]>
    /**
     * Gives a passkey another name. Returns the passkey; null if the user has none with this id.
     *
     * @throws TypeError if the name is empty or too long
     * @throws MissingAdapterMethods, AdapterError
     */
    rename(input: RenamedPasskeyInput): Promise<PasskeyInfo | null>
    /**
     * Deletes a passkey and its account, as `accounts.unlink` does. Returns the passkey; null if the user has none with
     * this id. The device offers it until `signalAcceptedPasskeys` of the client, or a refused sign-in, tells the browser.
     *
     * @throws SessionNotFresh if the user authenticated too long ago, or the session is that of another user
     * @throws LastAccount if the user could not sign in any more
     * @throws LastFactor if it is the last second factor of a user who must have one
     * @throws MissingAdapterMethods, AdapterError
     */
    delete(input: DeletedPasskeyInput): Promise<PasskeyInfo | null>
    /** Returns what `/.well-known/webauthn` responds, as JSON: the option `relatedOrigins`. */
    getRelatedOrigins(): Promise<RelatedOrigins>
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
   * Returns an access token of a provider that is valid for at least `refreshBefore` seconds. Refreshes it if it has to,
   * once for all requests, also in other processes if the adapter has leases.
   *
   * If the refresh fails although a later one may succeed, the token is returned for as long as it is valid.
   *
   * @param user a request of the user, or `{ userId }`
   * @param provider id of the provider
   * @throws AccessTokenError when there is no token that can be used; `needsSignIn` says what helps
   * @throws MissingAdapter, MissingAdapterMethods, AdapterError
   */
  getAccessToken(
    user: AccessTokenUser,
    provider: string,
    options?: AccessTokenOptions,
  ): Promise<AccessTokenResult>
  /**
   * The second factors of users. Needs the option `secondFactor`: each function throws `InvalidOption` without it. The
   * functions that take a session throw `SessionNotFresh` if the user authenticated too long ago, or without the second
   * factor that they have.
   */
  readonly factors: {
    /**
     * Returns the factors of a user: the apps, the oldest first, then codes by e-mail, the recovery codes, and the trusted
     * devices. `passkeys.list` returns the passkeys.
     *
     * @throws AdapterError
     */
    list(userId: string): Promise<FactorInfo[]>
    /**
     * Creates a secret for an authenticator app. Nothing is stored yet.
     *
     * @throws SessionNotFresh, AdapterError
     */
    startTotp(input: FactorInput): Promise<FactorSetup>
    /**
     * Adds the authenticator app, and recovery codes if the user has none. Sends the event `addFactor` for each. Returns
     * undefined if the code is wrong, or the setup is too old.
     *
     * @throws SessionNotFresh, AdapterError
     */
    confirmTotp(input: ConfirmFactorInput): Promise<AddedFactor | undefined>
    /**
     * Sends a code to the address of a user, to turn on codes by e-mail. Nothing is stored yet.
     *
     * @throws TypeError if the user has no address, or `secondFactor.methods` no `emailCodes()`
     * @throws EmailSignInError if the e-mail cannot be sent
     * @throws SessionNotFresh, AdapterError
     */
    startEmailCodes(input: FactorInput): Promise<EmailCodesSetup>
    /**
     * Turns on codes by e-mail, as `confirmTotp` adds an app.
     *
     * @throws SessionNotFresh, AdapterError
     */
    confirmEmailCodes(input: ConfirmFactorInput): Promise<AddedFactor | undefined>
    /**
     * Replaces the recovery codes of a user, and returns the new ones. Show them once: only their hashes are stored.
     *
     * @throws SessionNotFresh, AdapterError
     * @throws TypeError if the user has no other factor, or the configuration no recovery codes
     */
    replaceRecoveryCodes(input: FactorInput): Promise<readonly string[]>
    /**
     * Removes a factor, or a trusted device. With an authenticator app, no device is trusted any more; with the last one,
     * the recovery codes go, too. Sends the event `removeFactor` for each. Returns false if there is none with this id.
     *
     * @throws LastFactor if the user must have one
     * @throws SessionNotFresh, AdapterError
     */
    remove(input: RemovedFactorInput): Promise<boolean>
    /**
     * Removes all factors of a user who has lost them, once your support has made sure who they are. Returns how many
     * there were.
     *
     * @throws AdapterError
     */
    removeAll(userId: string): Promise<number>
    /**
     * Encrypts the factors of a user with the current secret, as their next sign-in would. Returns whether all of them are
     * encrypted with it now: otherwise one needs a secret that the configuration does not have, or has just been changed.
     *
     * @throws MissingAdapter, MissingAdapterMethods, AdapterError
     */
    renewEncryption(userId: string): Promise<boolean>
  }
  readonly users: {
    /**
     * Deletes a user with all accounts, sessions, passkeys, second factors and tokens of e-mail links, and sends the event
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
  /** Responds to a request to one of the actions. Never rejects. */
  handle(request: Request, options?: HandleOptions): Promise<Response>
  /**
   * Returns the session of a request.
   *
   * @throws AuthError if the session could not be checked. It may still be valid. `getErrorCookies` returns the cookies to
   *   set on the error response.
   */
  getSession(request: AuthRequest, options?: GetSessionOptions): Promise<SessionResult<SessionType>>
  /**
   * Changes the data of the session. Does not check for a CSRF token: the caller must make sure that the request comes
   * from a page of the application. `session` is null if nobody is signed in.
   *
   * @param data passed to the `jwt` callback (strategy `jwt`) or the `session` callback, which must validate it
   * @throws AuthError if the session could not be checked. It may still be valid, and has not changed.
   */
  updateSession(request: AuthRequest, data: unknown): Promise<SessionResult<SessionType>>
  /**
   * Starts a sign-in, or signs in with credentials or the code of an e-mail. Does not check for a CSRF token: the caller
   * must make sure that the request comes from a page of the application.
   *
   * @param provider id of the provider. Without one, the result is a redirect to the sign-in page.
   * @param authorizationParams parameters for the authorization request that your code chose. They replace those of the
   *   provider.
   * @throws AuthError if the sign-in is refused, for example `CredentialsSignin`
   */
  signIn(
    request: AuthRequest,
    provider?: string,
    options?: SignInOptions,
    authorizationParams?: AuthorizationParams,
  ): Promise<RedirectResult>
  /**
   * Ends the session. Does not check for a CSRF token: the caller must make sure that the request comes from a page of
   * the application.
   *
   * @throws AuthError if the session could not be ended. It is then still valid.
   */
  signOut(request: AuthRequest, options?: SignOutOptions): Promise<RedirectResult>
}

/** The response of `Auth` in `raw` mode. */
export interface RawResponse {
  status?: number
  headers?: Headers
  body?: unknown
  redirect?: string
  cookies?: Cookie[]
}
