/** Form actions: what the pages at `/signin` and `/signout` do. */
import { parseSignInForm } from "@latchkey/core/integration"
import { error, type RequestEvent } from "@sveltejs/kit"
import { createRequestContext, type GetAuthContext } from "./auth-context.ts"
import { redirectAfterAction, resolveCallbackUrl } from "./redirect.ts"

/** The fields of a form, such as a `FormData`, a `URLSearchParams` or the entries of an object. */
export type FormFields = Iterable<readonly [string, unknown]>

/**
 * A form action. It always throws: where all went well, the redirect to what comes next.
 *
 * @param fields where something else has read the form
 */
export type AuthAction = (event: RequestEvent, fields?: FormFields) => Promise<never>

/** Creates the action that signs in. */
export function createSignInAction(getAuthContext: GetAuthContext): AuthAction {
  return async (event, fields) => {
    const authContext = await getAuthContext(event)
    const { options, ...signInFields } = parseSignInForm(fields ?? (await readForm(event.request)))
    const requestContext = createRequestContext(authContext)
    const redirectTo = resolveCallbackUrl(options, requestContext)
    const input = { ...requestContext, ...signInFields, options: { ...options, redirectTo } }
    return redirectAfterAction(
      await authContext.integratedAuth.engine.signIn(input),
      requestContext.url,
      authContext,
    )
  }
}

/** Creates the action that signs out. */
export function createSignOutAction(getAuthContext: GetAuthContext): AuthAction {
  return async (event, fields) => {
    const authContext = await getAuthContext(event)
    const { options } = parseSignInForm(fields ?? (await readForm(event.request)))
    const requestContext = createRequestContext(authContext)
    const redirectTo = resolveCallbackUrl(options, requestContext)
    const result = await authContext.integratedAuth.engine.signOut({
      ...requestContext,
      options: { redirectTo },
    })
    return redirectAfterAction(result, requestContext.url, authContext)
  }
}

async function readForm(request: Request): Promise<FormData> {
  if (request.bodyUsed) {
    throw new TypeError("The form was read already: hand its fields over as the second argument.")
  }
  return request.formData().catch((cause) => {
    // SvelteKit lets text/plain through to actions, which is none.
    if (cause instanceof TypeError) error(400, "Expected a form")
    throw cause
  })
}
