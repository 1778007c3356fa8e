import type { AuthorizationParams, SignInOptions } from "@latchkey/core"
import { parseSignInForm } from "@latchkey/core/integration"
import type { ReactiveAuthConfig } from "./config.ts"
import { redirectAfter } from "./server-function.ts"

/**
 * Starts a sign-in, or signs in with credentials, in a server function. It never returns: it throws the redirect to
 * where the sign-in continues, with its cookies. Refuses requests that do not come from a page of the same origin.
 *
 * @param provider id of the provider, or a form with the fields `providerId` and `authorizationParams-<name>`, whose other
 *   fields are those of `SignInOptions`, such as `redirectTo`. Without one, the browser is sent to the sign-in page.
 * @param options replace what the form says
 * @param authorizationParams parameters for the provider that your code chose
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
  provider?: string | FormData | URLSearchParams,
  options?: SignInOptions,
  authorizationParams?: AuthorizationParams,
): Promise<never> {
  // SolidStart 2 passes a form without files as `URLSearchParams`, even if the parameter has another type.
  const isForm = typeof provider === "object"
  const form = isForm ? parseSignInForm(provider) : { provider, options: {} }
  return redirectAfter(config, (context) =>
    context.signIn(form.provider, { ...form.options, ...options }, authorizationParams),
  )
}
