/** Form actions for the pages at `/signin` and `/signout`. */
import {
  type AuthContext,
  getRedirectLocation,
  parseSignInForm,
  type SignInFields,
} from "@latchkey/core/integration"
import { error, type RequestEvent, redirect } from "@sveltejs/kit"
import type { GetAuthContext } from "./auth-context.ts"
import { homePath } from "./kit.ts"
import { refuseOtherSites } from "./same-origin.ts"

/** The fields of a form, such as a `FormData`, a `URLSearchParams` or the entries of an object. */
export type FormFields = Iterable<readonly [string, unknown]>

/**
 * A form action. It always throws: if it succeeds, the redirect to the next page; for a form of another site,
 * SvelteKit's error 403.
 *
 * @param fields if other code has read the form
 */
export type AuthAction = (event: RequestEvent, fields?: FormFields) => Promise<never>

/**
 * The form action that starts a sign-in.
 *
 * @param authorizationParams parameters for the provider that your code chose. They replace those of the provider, which
 *   the fields `authorizationParams-<name>` cannot.
 * @param flow data that callbacks and events receive when the sign-in ends, which your code has checked
 */
export type SignInAction = (
  event: RequestEvent,
  fields?: FormFields,
  authorizationParams?: SignInFields["authorizationParams"],
  flow?: SignInFields["flow"],
) => Promise<never>

export function createSignInAction(getAuthContext: GetAuthContext): SignInAction {
  return (event, formFields, authorizationParams, flow) =>
    createAction(getAuthContext, (context, fields, defaultRedirectTo) =>
      context.signIn({ ...fields, defaultRedirectTo, authorizationParams, flow }),
    )(event, formFields)
}

export function createSignOutAction(getAuthContext: GetAuthContext): AuthAction {
  return createAction(getAuthContext, (context, { options = {} }, redirectTo) =>
    context.signOut({ redirectTo, federated: options["federated"] === "true" }),
  )
}

type SignInForm = ReturnType<typeof parseSignInForm>

function createAction(
  getAuthContext: GetAuthContext,
  run: (context: AuthContext, fields: SignInForm, redirectTo: string) => Promise<string>,
): AuthAction {
  return async (event, fields) => {
    const context = await getAuthContext(event)
    refuseOtherSites(context)
    const form = parseSignInForm(fields ?? (await readForm(event.request)))
    const { origin } = context.url
    const target = new URL(await run(context, form, resolveCallbackUrl(form, context)), origin)
    // SvelteKit 2 redirects to any origin, and has no third parameter.
    redirect(303, getRedirectLocation(target, origin), { external: [target.origin] })
  }
}

/**
 * Returns the `redirectTo` of the form, else the `callbackUrl` of its page, else its page. The engine decides whether
 * to allow it.
 */
function resolveCallbackUrl({ options = {} }: SignInForm, { headers, url }: AuthContext): string {
  const { redirectTo, callbackUrl } = options
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
    if (cause instanceof TypeError) error(400, "Expected a form")
    throw cause
  })
}
