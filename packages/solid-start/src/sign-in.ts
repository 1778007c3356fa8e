import type { SignInInput } from "@latchkey/core"
import { parseSignInForm } from "@latchkey/core/integration"
import { createRedirectResponse, createSameOriginContext } from "./auth-context.ts"
import type { ReactiveAuthConfig } from "./config.ts"
import { sanitizeAsyncErrors } from "./sanitize-errors.ts"

/** What to sign in with, and how: without a provider, the sign-in page asks. */
export type SignInOptions = Omit<SignInInput, "headers" | "url">

/**
 * Begins a sign-in, or signs in with credentials, in a server function. It never returns: what it throws is the redirect
 * to where the sign-in leads, with its cookies. Refuses requests that no page of the own origin made.
 *
 * @param input a form says the same with its fields: `providerId`, `authorizationParams-<name>`, and all others are
 *   `options`, such as `redirectTo`
 * @throws Response that SolidStart answers with
 * @throws CredentialsSignin when credentials are not right; its `code` may be shown
 * @throws AuthError when the sign-in is refused otherwise; MissingCSRF for a request from elsewhere
 * @throws TypeError outside of a server function, or when the configuration or `AUTH_URL` cannot be used
 * @example
 * const enter = action(async (form: FormData) => {
 *   "use server"
 *   await signIn(config, form)
 * }, "enter")
 */
export async function signIn(
  config: ReactiveAuthConfig,
  input: SignInOptions | FormData | URLSearchParams = {},
): Promise<never> {
  const authContext = createSameOriginContext(config)
  const { headers, url } = authContext
  // SolidStart 2 hands over a form without files as `URLSearchParams`, whatever the type of the parameter says.
  const signInInput = Symbol.iterator in input ? parseSignInForm(input) : input
  const operation = authContext.integratedAuth.engine.signIn({ ...signInInput, headers, url })
  const { redirect, cookies } = await sanitizeAsyncErrors(operation)
  throw createRedirectResponse(redirect, cookies, authContext)
}
