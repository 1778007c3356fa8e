/** Latchkey for Elysia 1, without a dependency. `auth.wrap(app.fetch)` sets the cookies: Elysia's hooks see no `Response`. */
import type { FreshSessionOptions } from "@latchkey/core/integration"
import type { Session } from "@latchkey/core/types"
import type { FetchAuth } from "./fetch-auth.ts"
import { requireAuth } from "./guard.ts"
import type { RequestAuth } from "./request-auth.ts"

/**
 * Creates the function that adds `auth` to contexts.
 *
 * @throws TypeError, from the function, when `auth.wrap` does not serve the application
 * @example
 * const app = new Elysia().derive(deriveAuth(auth)).get("/", ({ auth }) => auth.getSession())
 * Bun.serve({ fetch: auth.wrap(app.fetch) })
 */
export function deriveAuth<SessionType extends object = Session>(
  auth: FetchAuth<SessionType, never>,
): (context: { readonly request: Request }) => { auth: RequestAuth<SessionType> } {
  return ({ request }) => {
    if (auth.isWrapped(request)) return { auth: auth.for(request) }
    throw new TypeError(
      "Latchkey cannot set cookies on this response: serve the application with `auth.wrap(app.fetch)`.",
    )
  }
}

/** A guard: lets users pass who are signed in. `auth.requireSession()` does the same in a handler. */
export const requireSession =
  () =>
  async (context: object): Promise<void> => {
    await getAuth(context).requireSession()
  }

/** A guard: lets users pass who authenticated recently. */
export const requireFreshSession =
  (options?: FreshSessionOptions) =>
  async (context: object): Promise<void> => {
    await getAuth(context).requireFreshSession(options)
  }

function getAuth(context: object): RequestAuth {
  const fix = "call `app.derive(deriveAuth(auth))` before the routes."
  return requireAuth(Reflect.get(context, "auth"), "`auth`", fix)
}
