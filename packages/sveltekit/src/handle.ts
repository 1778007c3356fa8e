/** The hook: answers the requests to the library, and tells all others who is signed in. */
import { InvalidRequest } from "@latchkey/core/errors"
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
      const visit = await visitOnce()
      if (visit.mounted.serves(new URL(event.request.url).pathname)) return answer(visit)
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

async function answer({ mounted, request }: Visit): Promise<Response> {
  let url: URL
  try {
    url = mounted.locate(request)
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error
    return Response.json({ message: error.message }, { status: error.status })
  }
  return mounted.auth.handle(request, url)
}
