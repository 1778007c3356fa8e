import { redirect } from "@sveltejs/kit"
import { signOut } from "../../auth.ts"
import type { Actions, PageServerLoad } from "./$types"

/** There is no page at this path: the form is on other pages. */
export const load: PageServerLoad = () => redirect(303, "/")

export const actions: Actions = { default: signOut }
