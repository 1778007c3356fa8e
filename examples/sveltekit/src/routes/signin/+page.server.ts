import { CredentialsSignin } from "@latchkey/sveltekit"
import { fail } from "@sveltejs/kit"
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
      if (!(error instanceof CredentialsSignin)) throw error // On success, a redirect
      return fail(400, { code: error.code, email: String(form.get("email") ?? "") })
    }
  },
}
