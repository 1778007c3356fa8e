/// <reference path="./next.d.ts" />
/** The functions for components, server actions and route handlers. */
import type {
  AccessToken,
  AccessTokenOptions,
  AuthorizationParams,
  SignInOptions as CoreSignInOptions,
  SignOutOptions as CoreSignOutOptions,
} from "@latchkey/core"
import {
  type AuthContext,
  assertSameOrigin,
  type FreshSessionOptions,
  getRedirectLocation,
  type HeaderReader,
  parseSignInForm,
} from "@latchkey/core/integration"
import type { Session } from "@latchkey/core/types"

/** Options of `signIn`: what follows, and the fields of the provider, such as `email`. */
export interface SignInOptions extends Pick<CoreSignInOptions, "flow"> {
  /** Where to go after the sign-in. @defaultValue the page of the form */
  readonly redirectTo?: string | undefined
  /** Whether to redirect. With `false`, the URL is returned. @defaultValue true */
  readonly redirect?: boolean | undefined
  readonly [field: string]: unknown
}

/** Options of `signOut`. */
export interface SignOutOptions extends CoreSignOutOptions {
  /** Whether to redirect. With `false`, the URL is returned. @defaultValue true */
  readonly redirect?: boolean | undefined
}

/** Options of `requireSession`. */
export interface RequireSessionOptions {
  /**
   * The path to which the sign-in leads back. Components do not know theirs, unless the proxy runs for it.
   *
   * @defaultValue the path that the proxy passes on, otherwise the first page
   */
  readonly returnTo?: string | undefined
}

/** The functions for components, server actions and route handlers. Those that change the session are for the latter two. */
export interface Actions<SessionType = Session> {
  /**
   * Starts a sign-in, or signs in with credentials, and redirects to where it continues.
   *
   * @param provider id of the provider, or a form with the field `providerId`. Without one, the browser is sent to the sign-in
   *   page.
   * @param options what follows and the fields of the provider, or a form with these fields
   * @param authorizationParams parameters for the provider that your code chose
   * @returns the URL, with `redirect: false`
   * @throws CredentialsSignin and other AuthErrors when the sign-in is refused; MissingCSRF unless a page of the same origin
   *   sent the request. A route handler for GET, where links lead, may be opened from anywhere.
   */
  signIn(
    provider?: string | FormData,
    options?: FormData | (SignInOptions & { readonly redirect?: true | undefined }),
    authorizationParams?: AuthorizationParams,
  ): Promise<never>
  signIn(
    provider?: string | FormData,
    options?: FormData | SignInOptions,
    authorizationParams?: AuthorizationParams,
  ): Promise<string>
  /**
   * Ends the session, and redirects.
   *
   * @returns the URL, with `redirect: false`
   * @throws AuthError when the session could not be ended; MissingCSRF unless a page of the same origin sent the request
   */
  signOut(options?: SignOutOptions & { readonly redirect?: true | undefined }): Promise<never>
  signOut(options?: SignOutOptions): Promise<string>
  /**
   * Changes the session and returns it; null when nobody is signed in.
   *
   * @param data for the `jwt` callback (strategy `jwt`) or the `session` callback, which must validate it
   * @throws AuthError when the session could not be checked; MissingCSRF unless a page of the same origin sent the request
   */
  updateSession(data: unknown): Promise<SessionType | null>
  /** The name of `updateSession` in Auth.js. */
  unstable_update(data: unknown): Promise<SessionType | null>
  /**
   * Returns the session. If nobody is signed in, it redirects to the sign-in page.
   *
   * @throws AuthError when the session could not be checked
   */
  requireSession(options?: RequireSessionOptions): Promise<SessionType>
  /**
   * Returns the session of a user who authenticated at most `maxAge` seconds ago, 600 by default. All others are redirected
   * to the sign-in page.
   *
   * @throws AuthError when the session could not be checked
   * @throws TypeError when `maxAge` is invalid
   */
  requireFreshSession(options?: FreshSessionOptions & RequireSessionOptions): Promise<SessionType>
  /**
   * Returns an access token of a provider for the signed-in user. In a component, tokens in the session are not refreshed.
   *
   * @throws AccessTokenError when there is no token that can be used; `needsSignIn` says what helps
   */
  getAccessToken(provider: string, options?: AccessTokenOptions): Promise<AccessToken>
}

export function createActions(getContext: () => Promise<AuthContext>): Actions {
  async function getOwnContext(): Promise<AuthContext> {
    const context = await getContext()
    assertOwnOrigin(context)
    return context
  }

  async function signIn(
    provider?: string | FormData,
    options: FormData | SignInOptions = {},
    authorizationParams?: AuthorizationParams,
  ): Promise<string> {
    const form = readForm(provider, options)
    const context = await getContext()
    // Without a provider, it only shows a page.
    if (form.provider !== undefined && !isLink(context.headers)) assertOwnOrigin(context)
    const defaultRedirectTo = context.headers.get("referer") ?? "/"
    const signInOptions = { defaultRedirectTo, ...form.options }
    const target = await context.signIn(form.provider, signInOptions, authorizationParams)
    return leave(context, target, form.redirect)
  }

  async function signOut({ redirect, ...options }: SignOutOptions = {}): Promise<string> {
    const context = await getOwnContext()
    const redirectTo = context.headers.get("referer") ?? "/"
    return leave(context, await context.signOut({ redirectTo, ...options }), redirect)
  }

  const updateSession = async (data: unknown) => (await getOwnContext()).updateSession(data)
  return {
    signIn: signIn as Actions["signIn"],
    signOut: signOut as Actions["signOut"],
    updateSession,
    unstable_update: updateSession,
    async requireSession(options) {
      const context = await getContext()
      const { redirect } = await import("next/navigation")
      return context.requireSession(createGuardedRequest(context, options), redirect)
    },
    async requireFreshSession({ returnTo, ...options } = {}) {
      const context = await getContext()
      const { redirect } = await import("next/navigation")
      const guarded = createGuardedRequest(context, { returnTo })
      return context.requireFreshSession(guarded, options, redirect)
    },
    getAccessToken: async (...input) => (await getContext()).getAccessToken(...input),
  }
}

/** Refuses a request of another site: Next.js executes actions without an origin. */
function assertOwnOrigin({ headers, url }: AuthContext): void {
  assertSameOrigin(headers, url.origin)
}

/**
 * Whether a link was opened, for which the application has a route handler. By these headers, Next.js decides whether a request
 * is one for an action; and browsers send their origin with everything but GET.
 */
function isLink(headers: HeaderReader): boolean {
  return ["origin", "next-action", "content-type"].every((name) => headers.get(name) === null)
}

/** Where to sign in, and with what. */
interface SignInInput {
  readonly provider: string | undefined
  readonly options: CoreSignInOptions
  readonly redirect: boolean | undefined
}

function readForm(
  provider: string | FormData | undefined,
  options: FormData | SignInOptions,
): SignInInput {
  if (isForm(provider)) return { ...parseSignInForm(provider), redirect: undefined }
  if (isForm(options)) {
    const form = parseSignInForm(options)
    return { provider: provider ?? form.provider, options: form.options, redirect: undefined }
  }
  const { redirect, redirectTo, flow, ...fields } = options
  return { provider, options: { fields, redirectTo, flow }, redirect }
}

/** Whether a value is a form. The check does not depend on the realm. */
function isForm(value: unknown): value is FormData {
  return Object.prototype.toString.call(value) === "[object FormData]"
}

/** Redirects, or returns the absolute URL. */
async function leave(
  { url: { origin } }: AuthContext,
  target: string,
  shouldRedirect = true,
): Promise<string> {
  const url = new URL(target, origin)
  if (!shouldRedirect) return url.href
  const { redirect } = await import("next/navigation")
  return redirect(getRedirectLocation(url, origin))
}

/** Returns what a guard needs to know. Only forms have a body, and their page is the one to return to. */
function createGuardedRequest(
  { headers, url }: AuthContext,
  { returnTo }: RequireSessionOptions = {},
) {
  if (returnTo !== undefined) return { method: "GET", url: new URL(url.origin + returnTo) }
  return { method: headers.get("content-type") === null ? "GET" : "POST" }
}
