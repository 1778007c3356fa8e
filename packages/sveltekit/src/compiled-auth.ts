import { createGetAccessToken, type GetAccessToken } from "./access-token.ts"
import {
  createSignInAction,
  createSignOutAction,
  type SignInAction,
  type SignOutAction,
} from "./actions.ts"
import { checkConfigAtStartup, createAuthContextGetter } from "./auth-context.ts"
import type { CompiledAuthConfig, LazyConfig } from "./config.ts"
import { createFreshSessionGuard, type RequireFreshSession } from "./fresh-session.ts"
import { type AuthHandle, createHandle } from "./handle.ts"

/** The result of {@link CompiledAuth}. */
export interface CompiledAuthParts {
  /**
   * The hook. Export it from `src/hooks.server.ts`, alone or in a `sequence`. It responds to requests to the library,
   * and adds `event.locals.auth()` and `event.locals.updateSession(data)` to all others.
   */
  readonly handle: AuthHandle
  /**
   * Form action that starts a sign-in, or signs in with credentials, and redirects with status 303.
   *
   * The fields of the form are `providerId`, `redirectTo`, `authorizationParams-<name>` and those of the provider.
   * Without a known provider it redirects to the sign-in page. Without `redirectTo` it goes back to the page of the
   * form, or to the `callbackUrl` of that page.
   *
   * @throws CredentialsSignin when the credentials are wrong; you may show its `code`
   * @throws AuthError when the sign-in is refused for another reason, or the configuration is invalid
   */
  readonly signIn: SignInAction
  /**
   * Form action that ends the session, and redirects with status 303 to `redirectTo`, else as {@link signIn} does.
   *
   * @throws AuthError when the session could not be ended and is still valid
   */
  readonly signOut: SignOutAction
  /**
   * Returns an access token of a provider for the signed-in user, refreshed if it has to be. With tokens in the session,
   * call it before you stream anything. Without an event, use `getAuth(config).getAccessToken({ userId }, provider)`.
   *
   * @throws AccessTokenError when there is no token that can be used; `needsSignIn` says what helps
   */
  readonly getAccessToken: GetAccessToken
  /**
   * Returns the session of a user who authenticated at most `maxAge` seconds ago, 600 by default. Sends all others to the
   * sign-in page, and back: after a form, to its page. For `load` functions, form actions, endpoints and hooks.
   *
   * @throws AuthError when the session could not be checked; it may still be valid
   * @throws TypeError when the configuration, `AUTH_URL` or `maxAge` is invalid
   * @example
   * const session = await requireFreshSession(event, { maxAge: 600 })
   */
  readonly requireFreshSession: RequireFreshSession
}

/**
 * Authentication for SvelteKit 2 and 3.
 *
 * The actions are under `config.basePath`, else the path of `AUTH_URL`, else `/auth` under the application's
 * `paths.base`.
 *
 * @param config the configuration, or a function that creates it from the event
 * @example
 * // src/auth.ts
 * export const { handle, signIn, signOut } = CompiledAuth({ providers: [tenantidp], trustHost: true })
 */
export function CompiledAuth(config: CompiledAuthConfig | LazyConfig): CompiledAuthParts {
  checkConfigAtStartup(config)
  const getAuthContext = createAuthContextGetter(config)
  return {
    handle: createHandle(getAuthContext),
    signIn: createSignInAction(getAuthContext),
    signOut: createSignOutAction(getAuthContext),
    getAccessToken: createGetAccessToken(getAuthContext),
    requireFreshSession: createFreshSessionGuard(getAuthContext),
  }
}
