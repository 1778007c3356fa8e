import { redirect } from "@sveltejs/kit"
import type { Actions } from "./$types"

export const actions: Actions = {
  default: async ({ request, locals }) => {
    const form = await request.formData()
    // The `jwt` callback decides what becomes of it.
    await locals.updateSession({ name: form.get("name") })
    redirect(303, "/account")
  },
}
