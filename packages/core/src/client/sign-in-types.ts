/** What a page asks for, and what it gets when it stays where it is. */
import type { ClientFailure } from "./client-failure.ts"

/** What to sign in with: the provider's fields, and where to go afterwards. */
export interface SignInOptions {
  /**
   * Where to go afterwards.
   *
   * @defaultValue the URL of the page
   */
  readonly redirectTo?: string | undefined
  /** The same as `redirectTo`, which wins. */
  readonly callbackUrl?: string | undefined
  /**
   * Whether to leave the page for wherever the server says. With `false` the page stays, and is told.
   *
   * @defaultValue `true`
   */
  readonly redirect?: boolean | undefined
  /** A field of the form: credentials, `email`, `link`, `csrfToken`. Files are left out. */
  readonly [field: string]: unknown
}

/** Parameters for the authorization request, such as `prompt` and `login_hint`. */
export type AuthorizationParams = string | URLSearchParams | Readonly<Record<string, string>>

/** Where to go after signing out, and whether. */
export interface SignOutOptions {
  /**
   * Where to go afterwards.
   *
   * @defaultValue the URL of the page
   */
  readonly redirectTo?: string | undefined
  /** The same as `redirectTo`, which wins. */
  readonly callbackUrl?: string | undefined
  /**
   * Whether to leave the page. With `false` the page stays, and is told.
   *
   * @defaultValue `true`
   */
  readonly redirect?: boolean | undefined
  /** The token that came with the page. Without one, a token is asked for. */
  readonly csrfToken?: string | undefined
}

interface SuccessBase {
  readonly ok: true
  readonly error?: undefined
  readonly code?: undefined
  /** Where the server would have sent the browser; absolute. */
  readonly url: string
}

/** What came of a sign-in with `redirect: false`. */
export type SignInResult<S> =
  /** Somebody is signed in now. */
  | (SuccessBase & { readonly kind: "signed-in"; readonly session: S })
  /** It goes on at `url`: at the provider, or where the application's `signIn` callback sends people. */
  | (SuccessBase & { readonly kind: "redirect" })
  /** It goes on in the mailbox. */
  | (SuccessBase & { readonly kind: "email-sent" })
  | ClientFailure

/** What came of a sign-out with `redirect: false`. */
export type SignOutResult = (SuccessBase & { readonly kind: "signed-out" }) | ClientFailure

/** Signs somebody in. */
export interface SignIn<S> {
  /** Stays on the page, and tells what came of it. */
  (
    provider: string | undefined,
    options: SignInOptions & { readonly redirect: false },
    authorizationParams?: AuthorizationParams,
  ): Promise<SignInResult<S>>
  /**
   * Leaves the page: for the provider, for where to go afterwards, or for the page that tells what was wrong.
   * Never resolves.
   *
   * @throws ClientError when the server could not be asked; the page stays
   */
  (
    provider?: string,
    options?: SignInOptions & { readonly redirect?: true | undefined },
    authorizationParams?: AuthorizationParams,
  ): Promise<never>
  /** Leaves the page or stays, as `options` say. */
  (
    provider?: string,
    options?: SignInOptions,
    authorizationParams?: AuthorizationParams,
  ): Promise<SignInResult<S>>
}

/** Signs out whoever is signed in. */
export interface SignOut {
  /** Stays on the page, and tells what came of it. */
  (options: SignOutOptions & { readonly redirect: false }): Promise<SignOutResult>
  /**
   * Leaves the page. Never resolves.
   *
   * @throws ClientError when the server could not be asked; the page stays
   */
  (options?: SignOutOptions & { readonly redirect?: true | undefined }): Promise<never>
  /** Leaves the page or stays, as `options` say. */
  (options?: SignOutOptions): Promise<SignOutResult>
}
