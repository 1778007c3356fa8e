import type { ClientFailure } from "./client-failure.ts"

/** Where to go afterwards, and whether to leave the page. */
export interface RedirectOptions {
  /**
   * Where to go afterwards.
   *
   * @defaultValue the URL of the page
   */
  readonly redirectTo?: string | undefined
  /** An alias of `redirectTo`, which wins. */
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
  /** A field of the form: credentials, `email`, `link`, `csrfToken`. Files are left out. */
  readonly [field: string]: unknown
}

/** Parameters for the authorization request, such as `prompt` and `login_hint`. */
export type AuthorizationParams = string | URLSearchParams | Readonly<Record<string, string>>

/** Where to go after signing out. */
export interface SignOutOptions extends RedirectOptions {
  /** The token of the page. By default, the client requests one. */
  readonly csrfToken?: string | undefined
}

interface Success<Kind extends string> {
  readonly ok: true
  readonly kind: Kind
  readonly error?: undefined
  readonly code?: undefined
  /** Where the server would have redirected; absolute. */
  readonly url: string
}

/** The result of a sign-in with `redirect: false`. */
export type SignInResult<S> =
  /** The user is signed in. */
  | (Success<"signed-in"> & { readonly session: S })
  /** The sign-in continues at `url`: at the provider, or where the application's `signIn` callback redirects. */
  | Success<"redirect">
  /** The sign-in continues with the link in an e-mail. */
  | Success<"email-sent">
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
