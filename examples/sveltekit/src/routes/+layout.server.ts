import type { LayoutServerLoad } from "./$types"

/** Passes the session to every page. It protects none: pages do that themselves, with `requireUser`. */
export const load: LayoutServerLoad = async ({ locals, setHeaders, url }) => {
  setHeaders({ "cache-control": "private, no-store" })
  // Because of `url`, SvelteKit runs this for every navigation: the session may have ended elsewhere.
  return { session: await locals.auth(), path: url.pathname }
}
