/** The types of the client. All of them are public. */
import type { InferClientSession, PublicProvider } from "@latchkey/core/types"
import type { ClientFailure, ResponseStatus } from "./client-failure.ts"

/** How to set up a client. */
export interface ClientOptions {
  /**
   * The base path of the library's actions.
   *
   * @defaultValue `"/auth"`
   */
  readonly basePath?: string
  /**
   * The origin of the server, if it is not that of the page, or there is no page. Browsers send cookies to another
   * origin only if `fetch` adds `credentials: "include"`.
   *
   * @defaultValue the origin of the page
   */
  readonly origin?: string
  /**
   * Replaces the global `fetch`.
   *
   * @defaultValue the global `fetch` at the time of a request
   */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /**
   * How often to request the session while it has listeners and the page is visible, in seconds; 0 for never.
   *
   * @defaultValue `0`
   */
  readonly pollInterval?: number
}

/** The functions of the client. You can use each of them without the object. */
export interface Client<S = InferClientSession<unknown>> {
  /** The base path without a trailing slash. */
  readonly basePath: string
  /** Signs in. Without a provider, or with an unknown one, it goes to the sign-in page. */
  readonly signIn: SignIn<S>
  /**
   * Signs in with the code of an e-mail, in the browser that requested it, and returns the result. The page stays.
   *
   * @param request the result `email-sent` of `signIn`, or its `provider` and `email`
   * @param code as it was typed
   */
  readonly submitEmailCode: (request: EmailRequest, code: string) => Promise<SignInResult<S>>
  /** Signs out. */
  readonly signOut: SignOut
  /**
   * Requests the session; null when nobody is signed in. If the request fails, it returns the session that it last
   * received.
   *
   * @throws ClientError when the request fails and no session is known
   */
  readonly getSession: () => Promise<S | null>
  /**
   * Sends data to the application's `jwt` callback (strategy `jwt`) or `session` callback (strategy `database`), and
   * returns the new session; null when nobody is signed in.
   *
   * @throws ClientError when the server refused or the request failed
   */
  readonly updateSession: (data?: unknown) => Promise<S | null>
  /**
   * Requests the CSRF token for a form that posts to the library; undefined if the framework protects against CSRF.
   *
   * @throws ClientError when the request fails
   */
  readonly getCsrfToken: () => Promise<string | undefined>
  /**
   * Requests the providers by their ids, once.
   *
   * @throws ClientError when the request fails
   */
  readonly getProviders: () => Promise<PublicProviders>
  /**
   * Calls a function with the state of the session as soon as it is known, and after each change in this page, in other
   * tabs and, as far as the page notices, on the server. Returns a function that stops this.
   */
  readonly onSessionChange: (listener: SessionListener<S>) => () => void
  /** Returns the current state of the session; the same object until it changes. */
  readonly sessionState: () => SessionState<S>
}

/** The providers by their ids. */
export type PublicProviders = Readonly<Record<string, PublicProvider>>

/** The state of the session after a request. */
export type KnownSessionState<S> =
  /** `stale` means that the last request failed, and that this is the session of an earlier one. */
  | { readonly kind: "signed-in"; readonly session: S; readonly stale: boolean }
  | { readonly kind: "signed-out"; readonly stale: boolean }
  /** The request failed, and there is no earlier state. */
  | { readonly kind: "unavailable"; readonly failure: ClientFailure }

/** The state of the session: `unknown` before the first request. Only `signed-in` has a session. */
export type SessionState<S> = { readonly kind: "unknown" } | KnownSessionState<S>

/** Called with the new state. */
export type SessionListener<S> = (state: KnownSessionState<S>) => void

/** Where to go afterwards, and whether to leave the page. */
interface RedirectOptions {
  /**
   * Where to go afterwards.
   *
   * @defaultValue the URL of the page
   */
  readonly redirectTo?: string | undefined
  /** An alias of `redirectTo`. If both are set, `redirectTo` counts. */
  readonly callbackUrl?: string | undefined
  /**
   * Whether to leave the page for the target of the redirect. With `false`, the function returns the result.
   *
   * @defaultValue `true`
   */
  readonly redirect?: boolean | undefined
}

/** Where to go afterwards, and the fields of the provider. */
export interface SignInOptions extends RedirectOptions {
  /**
   * Whether the session outlasts the browser, if `session.rememberMe` lets users choose.
   *
   * @defaultValue `session.rememberMe.default` of the server
   */
  readonly rememberMe?: boolean | undefined
  /**
   * A field of the form: credentials, `email`, `code`, `link`, `flow`, `csrfToken`. Files are left out. For an e-mail provider,
   * `code` signs in with the code of the message, and `redirectTo` is by default that of the request for it.
   */
  readonly [field: string]: unknown
}

/** Parameters for the authorization request, such as `prompt` and `login_hint`. */
export type AuthorizationParams = string | URLSearchParams | Readonly<Record<string, string>>

/** Where to go after signing out. */
export interface SignOutOptions extends RedirectOptions {
  /** Whether to sign out at the provider, too, if it has an `end_session_endpoint`. @defaultValue false */
  readonly federated?: boolean | undefined
  /** The token of the page. By default, the client requests one. */
  readonly csrfToken?: string | undefined
}

interface Success<Kind extends string> extends ResponseStatus {
  readonly ok: true
  readonly kind: Kind
  readonly error?: undefined
  readonly code?: undefined
  /** Where the server would have redirected; absolute. */
  readonly url: string
}

/** The sign-in continues with the link or the code in an e-mail. Pass it to `submitEmailCode`. */
export interface EmailSent extends Success<"email-sent">, EmailRequest {}

/** A request for an e-mail. */
export interface EmailRequest {
  /** The id of the provider. */
  readonly provider: string
  /** The address as it was typed. */
  readonly email: string
}

/** The result of a sign-in with `redirect: false`. */
export type SignInResult<S> =
  /** The user is signed in. */
  | (Success<"signed-in"> & { readonly session: S })
  /** The sign-in continues at `url`: at the provider, or where the application's `signIn` callback redirects. */
  | Success<"redirect">
  | EmailSent
  | ClientFailure

/** The result of a sign-out with `redirect: false`. */
export type SignOutResult = Success<"signed-out"> | ClientFailure

/** Signs in. */
export interface SignIn<S> {
  /** Stays on the page and returns the result. */
  (
    provider: string | undefined,
    options: SignInOptions & { readonly redirect: false },
    authorizationParams?: AuthorizationParams,
  ): Promise<SignInResult<S>>
  /**
   * Leaves the page for the provider, for the target, or for the page that explains an error. Never resolves.
   *
   * @throws ClientError when the request failed; the page stays
   */
  (
    provider?: string,
    options?: SignInOptions & { readonly redirect?: true | undefined },
    authorizationParams?: AuthorizationParams,
  ): Promise<never>
  /** Leaves the page or stays, depending on `options`. */
  (
    provider?: string,
    options?: SignInOptions,
    authorizationParams?: AuthorizationParams,
  ): Promise<SignInResult<S>>
}

/** Signs out. */
export interface SignOut {
  /** Stays on the page and returns the result. */
  (options: SignOutOptions & { readonly redirect: false }): Promise<SignOutResult>
  /**
   * Leaves the page. Never resolves.
   *
   * @throws ClientError when the request failed; the page stays
   */
  (options?: SignOutOptions & { readonly redirect?: true | undefined }): Promise<never>
  /** Leaves the page or stays, depending on `options`. */
  (options?: SignOutOptions): Promise<SignOutResult>
}
