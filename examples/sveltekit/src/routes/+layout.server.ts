import type { LayoutServerLoad } from "./$types"

/** Passes the session to every page. `guard.ts` and `members/+page.server.ts` protect pages. */
export const load: LayoutServerLoad = async ({ locals, setHeaders }) => {
  setHeaders({ "cache-control": "private, no-store" })
  return { session: await locals.auth() }
}
