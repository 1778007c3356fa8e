import { redirect } from "@sveltejs/kit"
import { signOut } from "../../auth.ts"
import type { Actions, PageServerLoad } from "./$types"

/** There is nothing to see here: the form is on every page. */
export const load: PageServerLoad = () => redirect(303, "/")

export const actions: Actions = { default: signOut }
