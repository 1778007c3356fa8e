/** The hook: answers the requests to the library, and tells all others who is signed in. */
import { InvalidRequest } from "@latchkey/core/errors"
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
    const locals: AuthLocals = building ? nobody : createLocals(() => visitOf(event))
    Object.assign(event.locals, locals)
    // The router's own requests are for the data of pages, and so are those while the application is built.
    if (building || event.isDataRequest) return resolve(event)
    const visit = await visitOf(event)
    const { pathname } = new URL(event.request.url)
    return visit.mounted.serves(pathname) ? answer(visit) : resolve(event)
  }
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
