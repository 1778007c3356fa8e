/** Latchkey for Astro 7, without a dependency: types describe what it uses. */
import type { Session } from "@latchkey/core/types"
import type { FetchAuth } from "./fetch-auth.ts"
import { requireAuth } from "./guard.ts"
import type { RequestAuthOf } from "./request-auth.ts"

/** The parts of Astro's context, and of the global `Astro`, that the library uses. */
export interface AstroContext {
  readonly request: Request
  readonly locals: object
  readonly isPrerendered?: boolean
  readonly clientAddress?: string
}

/**
 * Creates the middleware that sets the cookies, and adds `auth` to the locals of all pages that are not prerendered.
 *
 * @example
 * // src/middleware.ts
 * export const onRequest = createOnRequest(auth)
 */
export function createOnRequest<SessionType = Session>(
  auth: FetchAuth<SessionType>,
): (context: AstroContext, next: () => Promise<Response>) => Promise<Response> {
  return (context, next) => {
    const { request, locals, isPrerendered } = context
    if (isPrerendered) return next() // has no cookies
    const options = { clientAddress: getClientAddress(context) }
    const respond: Parameters<typeof auth.respond>[1] = (requestAuth) => {
      Object.assign(locals, { auth: requestAuth })
      return next()
    }
    return auth.respond(request, respond, undefined, options)
  }
}

function getClientAddress(context: AstroContext): string | undefined {
  try {
    return context.clientAddress
  } catch {
    return undefined // Astro's adapter does not know it.
  }
}

/**
 * Returns the functions for a request, which are also in `locals.auth`.
 *
 * @throws TypeError when the middleware has not run, or the page is prerendered
 * @example
 * const session = await getAuth<typeof auth>(Astro).requireSession()
 */
export function getAuth<Auth = FetchAuth>({
  locals,
}: Pick<AstroContext, "locals">): RequestAuthOf<Auth> {
  const fix = "export `onRequest` from src/middleware.ts, and set `prerender = false` in the page."
  return requireAuth(Reflect.get(locals, "auth"), "`locals.auth`", fix)
}
