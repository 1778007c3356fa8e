/** The hook: answers the requests to the library, and tells all others who is signed in. */
import { unstored } from "@latchkey/core/mounting"
import type { RequestEvent } from "@sveltejs/kit"
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
    const response = await resolve(event)
    // Whoever asked was told what is wrong with the configuration.
    const visit = await begun?.catch(() => undefined)
    return visit?.cookies.areSet ? outOfCaches(response) : response
  }
}

/** An answer that no cache keeps. */
function outOfCaches(response: Response): Response {
  const headers = new Headers(response.headers)
  headers.set("cache-control", unstored(headers.get("cache-control")))
  const { body, status, statusText } = response
  return new Response(body, { status, statusText, headers })
}
