import type { LayoutServerLoad } from "./$types"

/** Tells every page who is there. Keeps nobody out: see `guard.ts` and `members/+page.server.ts`. */
export const load: LayoutServerLoad = async ({ locals, setHeaders }) => {
  setHeaders({ "cache-control": "private, no-store" })
  return { session: await locals.auth() }
}
