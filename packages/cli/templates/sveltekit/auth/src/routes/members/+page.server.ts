import { redirect } from "@sveltejs/kit"
import type { PageServerLoad } from "./$types"

/** The guard: visitors who are signed out sign in first, and return. */
export const load: PageServerLoad = async ({ locals, url, setHeaders }) => {
  const session = await locals.auth()
  const callbackUrl = encodeURIComponent(url.pathname + url.search)
  if (!session?.user) redirect(303, `/auth/signin?callbackUrl=${callbackUrl}`)
  // The page shows who is signed in, so no cache may keep it for others.
  setHeaders({ "cache-control": "private, no-store" })
  return { user: session.user }
}
