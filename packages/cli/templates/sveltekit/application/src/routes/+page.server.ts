import type { PageServerLoad } from "./$types"

export const load: PageServerLoad = async ({ locals, setHeaders }) => {
  setHeaders({ "cache-control": "private, no-store" })
  return { session: await locals.auth() }
}
