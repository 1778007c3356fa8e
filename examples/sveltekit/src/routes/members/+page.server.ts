import { redirect } from "@sveltejs/kit"
import type { PageServerLoad } from "./$types"

/** Redirects visitors who are signed out to the sign-in page, which leads back. */
export const load: PageServerLoad = async ({ locals, url }) => {
  const session = await locals.auth()
  if (!session?.user) redirect(303, `/signin?callbackUrl=${encodeURIComponent(url.pathname)}`)
}
