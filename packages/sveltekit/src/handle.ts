/** The hook: answers the requests to the library, and tells all others who is signed in. */
import { unstored } from "@latchkey/core/mounting"
import { isRedirect, type RequestEvent } from "@sveltejs/kit"
import { building } from "./kit.ts"
import { type AuthLocals, createLocals, nobody } from "./locals.ts"
import type { Visit, VisitOf } from "./visit.ts"

/** A `handle` hook. Described, not imported: SvelteKit 2 and 3 have the type in different modules. */
export type AuthHandle = (input: {
  event: RequestEvent
  resolve: (event: RequestEvent) => Response | Promise<Response>
}) => Promise<Response>

/** Creates the hook. */
export function createHandle(visitOf: VisitOf): AuthHandle {
  return async ({ event, resolve }) => {
    let begun: Promise<Visit> | undefined
    const visitOnce = (): Promise<Visit> => {
      begun ??= visitOf(event)
      return begun
    }
    const locals: AuthLocals = building ? nobody : createLocals(visitOnce)
    Object.assign(event.locals, locals)
    if (building) return resolve(event)
    // The router's own requests are for the data of pages.
    if (!event.isDataRequest) {
      const { mounted } = await visitOnce()
      const { pathname } = new URL(event.request.url)
      if (mounted.serves(pathname)) return mounted.answer(event.request)
    }
    // Whoever asked was told what is wrong with the configuration.
    const areSet = async () => (await begun?.catch(() => undefined))?.cookies.areSet === true
    let response: Response
    try {
      response = await resolve(event)
    } catch (thrown) {
      throw (await areSet()) ? uncached(thrown) : thrown
    }
    return (await areSet()) ? outOfCaches(response) : response
  }
}

/**
 * What a hook after this one threw. SvelteKit makes the answer of it, cookies included, and takes no header from here: a
 * redirect that caches keep of themselves (RFC 9110 section 15.4) becomes one that they do not.
 */
function uncached(thrown: unknown): unknown {
  if (!isRedirect(thrown)) return thrown
  if (thrown.status === 301) thrown.status = 302
  if (thrown.status === 308) thrown.status = 307
  return thrown
}

/** An answer that no cache keeps. */
function outOfCaches(response: Response): Response {
  const headers = new Headers(response.headers)
  headers.set("cache-control", unstored(headers.get("cache-control")))
  const { body, status, statusText } = response
  return new Response(body, { status, statusText, headers })
}
