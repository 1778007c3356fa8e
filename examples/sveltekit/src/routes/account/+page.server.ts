import { redirect } from "@sveltejs/kit"
import { requireUser } from "../../require-user.ts"
import type { Actions, PageServerLoad } from "./$types"

/** Without a `load` on the server, the router would open this page without a request, and no hook would run. */
export const load: PageServerLoad = async (event) => ({ user: await requireUser(event) })

export const actions: Actions = {
  default: async ({ request, locals }) => {
    const form = await request.formData()
    // The `jwt` callback validates the name.
    await locals.updateSession({ name: form.get("name") })
    redirect(303, "/account")
  },
}
