/** Form actions: what the pages at `/signin` and `/signout` do. */
import { signInForm } from "@latchkey/core/mounting"
import { error, type RequestEvent } from "@sveltejs/kit"
import { landing, leadTo } from "./landing.ts"
import { contextOf, type VisitOf } from "./visit.ts"

/** The fields of a form, such as a `FormData`, a `URLSearchParams` or the entries of an object. */
export type Fields = Iterable<readonly [string, unknown]>

/**
 * A form action. It always throws: where all went well, the redirect to what comes next.
 *
 * @param fields where something else has read the form
 */
export type AuthAction = (event: RequestEvent, fields?: Fields) => Promise<never>

/** Creates the action that signs in. */
export function createSignIn(visitOf: VisitOf): AuthAction {
  return async (event, fields) => {
    const visit = await visitOf(event)
    const { options, ...wanted } = signInForm(fields ?? (await formOf(event.request)))
    const context = contextOf(visit)
    const redirectTo = landing(options, context)
    const input = { ...context, ...wanted, options: { ...options, redirectTo } }
    return leadTo(await visit.mounted.auth.signIn(input), context.url, visit)
  }
}

/** Creates the action that signs out. */
export function createSignOut(visitOf: VisitOf): AuthAction {
  return async (event, fields) => {
    const visit = await visitOf(event)
    const { options } = signInForm(fields ?? (await formOf(event.request)))
    const context = contextOf(visit)
    const redirectTo = landing(options, context)
    const ended = await visit.mounted.auth.signOut({ ...context, options: { redirectTo } })
    return leadTo(ended, context.url, visit)
  }
}

async function formOf(request: Request): Promise<FormData> {
  if (request.bodyUsed) {
    throw new TypeError("The form was read already: hand its fields over as the second argument.")
  }
  return request.formData().catch((cause) => {
    // SvelteKit lets text/plain through to actions, which is none.
    if (cause instanceof TypeError) error(400, "Expected a form")
    throw cause
  })
}
