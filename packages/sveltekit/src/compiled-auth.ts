import { type AuthAction, createSignInAction, createSignOutAction } from "./actions.ts"
import { createAuthContextGetter } from "./auth-context.ts"
import type { CompiledAuthConfig, LazyConfig } from "./config.ts"
import { type AuthHandle, createHandle } from "./handle.ts"

/** What {@link CompiledAuth} gives. */
export interface CompiledAuthParts {
  /**
   * The hook, to be exported from `src/hooks.server.ts`, alone or in a `sequence`. It answers the requests to the
   * library, and gives all others `event.locals.auth()` and `event.locals.updateSession(data)`.
   */
  readonly handle: AuthHandle
  /**
   * Form action that begins a sign-in, or signs in with credentials, and redirects with status 303.
   *
   * Fields of the form: `providerId`, `redirectTo`, `authorizationParams-<name>`, and all that the provider wants to
   * know. Without a known provider it leads to the sign-in page. Without `redirectTo` it leads back to the page that the
   * form is on, or to where that page's `callbackUrl` says.
   *
   * @throws CredentialsSignin when credentials are not right; its `code` may be shown
   * @throws AuthError when the sign-in is refused otherwise, or the configuration cannot be used
   */
  readonly signIn: AuthAction
  /**
   * Form action that ends the session, and redirects with status 303 to `redirectTo`, else as {@link signIn} does.
   *
   * @throws AuthError when the session could not be ended, and is still valid
   */
  readonly signOut: AuthAction
}

/**
 * Authentication for SvelteKit 2 and 3.
 *
 * The actions are under `config.basePath`, else the path of `AUTH_URL`, else `/auth` under the application's
 * `paths.base`.
 *
 * @param config the configuration, or a function that makes it from the event
 * @example
 * // src/auth.ts
 * export const { handle, signIn, signOut } = CompiledAuth({ providers: [tenantidp], trustHost: true })
 */
export function CompiledAuth(config: CompiledAuthConfig | LazyConfig): CompiledAuthParts {
  const getAuthContext = createAuthContextGetter(config)
  return {
    handle: createHandle(getAuthContext),
    signIn: createSignInAction(getAuthContext),
    signOut: createSignOutAction(getAuthContext),
  }
}
