import { AuthError, CredentialsSignin } from "@latchkey/sveltekit"
import { fail, redirect } from "@sveltejs/kit"
import { signIn } from "../../auth.ts"
import type { Actions, PageServerLoad } from "./$types"

export const load: PageServerLoad = ({ url }) => ({
  redirectTo: url.searchParams.get("callbackUrl") ?? "/",
  hasFailed: url.searchParams.has("error"),
})

export const actions: Actions = {
  default: async (event) => {
    const form = await event.request.formData()
    try {
      await signIn(event, form)
    } catch (error) {
      if (error instanceof CredentialsSignin) {
        return fail(400, { code: error.code, email: String(form.get("email") ?? "") })
      }
      if (!(error instanceof AuthError)) throw error // On success, a redirect
      const callbackUrl = String(form.get("redirectTo") ?? "/")
      redirect(303, `/signin?${new URLSearchParams({ callbackUrl, error: error.type })}`)
    }
  },
}
