import { redirect } from "@sveltejs/kit"
import type { Actions } from "./$types"

export const actions: Actions = {
  default: async ({ request, locals }) => {
    const form = await request.formData()
    // The `jwt` callback validates the name.
    await locals.updateSession({ name: form.get("name") })
    redirect(303, "/account")
  },
}
