/** Form actions for the pages at `/signin` and `/signout`. */
import type { AuthorizationParams, SignInOptions } from "@latchkey/core"
import {
  type AuthContext,
  getRedirectLocation,
  parseSignInForm,
  type SignInForm,
} from "@latchkey/core/integration"
import { error, type RequestEvent, redirect } from "@sveltejs/kit"
import type { GetAuthContext } from "./auth-context.ts"
import { homePath } from "./kit.ts"
import { refuseOtherSites } from "./same-origin.ts"

/** The fields of a form, such as a `FormData`, a `URLSearchParams` or the entries of an object. */
export type FormFields = Iterable<readonly [string, unknown]>

/**
 * A form action that ends the session. It always throws: if it succeeds, the redirect to the next page; for a form of
 * another site, SvelteKit's error 403.
 *
 * @param fields if other code has read the form
 */
export type SignOutAction = (event: RequestEvent, fields?: FormFields) => Promise<never>

/**
 * The form action that starts a sign-in. It always throws, as {@link SignOutAction} does.
 *
 * @param provider id of the provider, or the fields of the form if other code has read it. By default, the form says so.
 * @param options replace what the form says
 * @param authorizationParams parameters for the provider that your code chose. They replace those of the provider, which
 *   the fields `authorizationParams-<name>` cannot.
 */
export type SignInAction = (
  event: RequestEvent,
  provider?: string | FormFields,
  options?: SignInOptions,
  authorizationParams?: AuthorizationParams,
) => Promise<never>

export function createSignInAction(getAuthContext: GetAuthContext): SignInAction {
  return async (event, provider, options, authorizationParams) => {
    const isId = typeof provider === "string"
    const fields = isId ? [["providerId", provider] as const] : provider
    return runAction(getAuthContext, event, fields, (context, form, defaultRedirectTo) => {
      const signInOptions = { defaultRedirectTo, ...form.options, ...options }
      return context.signIn(form.provider, signInOptions, authorizationParams)
    })
  }
}

export function createSignOutAction(getAuthContext: GetAuthContext): SignOutAction {
  return async (event, formFields) =>
    runAction(getAuthContext, event, formFields, (context, { options: { fields } }, redirectTo) =>
      context.signOut({ redirectTo, federated: fields["federated"] === "true" }),
    )
}

async function runAction(
  getAuthContext: GetAuthContext,
  event: RequestEvent,
  fields: FormFields | undefined,
  run: (context: AuthContext, form: SignInForm, redirectTo: string) => Promise<string>,
): Promise<never> {
  const context = await getAuthContext(event)
  refuseOtherSites(context)
  const form = parseSignInForm(fields ?? (await readForm(event.request)))
  const { origin } = context.url
  const target = new URL(await run(context, form, resolveCallbackUrl(form, context)), origin)
  // SvelteKit 2 redirects to any origin, and has no third parameter.
  return redirect(303, getRedirectLocation(target, origin), { external: [target.origin] })
}

/**
 * Returns the `redirectTo` of the form, else the `callbackUrl` of its page, else its page. The engine decides whether
 * to allow it.
 */
function resolveCallbackUrl({ options }: SignInForm, { headers, url }: AuthContext): string {
  const { redirectTo, callbackUrl } = options.fields
  const referer = headers.get("referer")
  const page = referer !== null && URL.canParse(referer) ? new URL(referer) : undefined
  const ownPage = page?.origin === url.origin ? page : undefined
  const target =
    redirectTo || callbackUrl || ownPage?.searchParams.get("callbackUrl") || ownPage?.href
  return typeof target === "string" ? target : homePath
}

async function readForm(request: Request): Promise<FormData> {
  if (request.bodyUsed) {
    throw new TypeError("The form has been read: pass its fields as the second argument.")
  }
  return request.formData().catch((cause) => {
    // SvelteKit also passes text/plain to actions, which is not a form.
    if (Object(cause).name === "TypeError") error(400, "Expected a form")
    throw cause
  })
}
