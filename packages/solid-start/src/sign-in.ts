import { parseSignInForm, type SignInFields } from "@latchkey/core/integration"
import type { ReactiveAuthConfig } from "./config.ts"
import { redirectAfter } from "./server-function.ts"

/** Parameters of `signIn`. Without a provider, the browser is redirected to the sign-in page. */
export type SignInOptions = SignInFields

/**
 * Starts a sign-in, or signs in with credentials, in a server function. It never returns: it throws the redirect to
 * where the sign-in continues, with its cookies. Refuses requests that do not come from a page of the same origin.
 *
 * @param input options, or a form with the fields `providerId` and `authorizationParams-<name>`, whose other fields are
 *   `options`, such as `redirectTo`
 * @throws Response for SolidStart to send
 * @throws CredentialsSignin when the credentials are wrong; you may show its `code`
 * @throws AuthError when the sign-in is refused for another reason; MissingCSRF for a request from elsewhere
 * @throws TypeError outside of a server function, or when the configuration or `AUTH_URL` is invalid
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
  // SolidStart 2 passes a form without files as `URLSearchParams`, even if the parameter has another type.
  const fields = Symbol.iterator in input ? parseSignInForm(input) : input
  return redirectAfter(config, (context) => context.signIn(fields))
}
