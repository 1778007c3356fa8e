/** Creates requests as SvelteKit passes them, and converts results to responses as it does. */
import { serializeCookie } from "@latchkey/core"
import type { Cookie } from "@latchkey/core/types"
import type { CompiledAuthParts } from "@latchkey/sveltekit"
import type { FetchHandler } from "@latchkey/testing"
import { type Cookies, isHttpError, isRedirect, type RequestEvent } from "@sveltejs/kit"

/** A page or an action. */
export type Route = (event: RequestEvent) => unknown

export interface TestEvent {
  readonly event: RequestEvent
  /** The arguments of `event.cookies.set`; the last call for a name counts. */
  readonly cookies: Map<string, Cookie>
}

/** Creates the event of a request with the properties that the library uses. */
export function createEvent(request: Request, changes: Partial<RequestEvent> = {}): TestEvent {
  const cookies = new Map<string, Cookie>()
  const jar: Pick<Cookies, "set"> = {
    set: (name, value, { encode, ...options } = {}) =>
      // SvelteKit's types of cookies allow undefined in more places.
      void cookies.set(name, { name, value, options: options as Cookie["options"] }),
  }
  const event: Partial<RequestEvent> = {
    request,
    url: new URL(request.url),
    locals: {} as App.Locals,
    cookies: jar as Cookies,
    isDataRequest: false,
    route: { id: "/" },
    ...changes,
  }
  return { event: event as RequestEvent, cookies }
}

/** Creates an application with pages by path, which return JSON. */
export function createApplication(
  { handle }: Pick<CompiledAuthParts, "handle">,
  routes: Record<string, Route>,
): FetchHandler {
  return async (request) => {
    const { pathname } = new URL(request.url)
    const route = { id: routes[pathname] ? pathname : null }
    const { event, cookies } = createEvent(request, { route })
    const resolve = async () => {
      const route = routes[event.url.pathname]
      if (!route) return new Response("Not found", { status: 404 })
      const response = await runRoute(route, event)
      for (const cookie of cookies.values()) {
        response.headers.append("set-cookie", serializeCookie(cookie))
      }
      return response
    }
    return handle({ event, resolve })
  }
}

async function runRoute(route: Route, event: RequestEvent): Promise<Response> {
  try {
    return Response.json((await route(event)) ?? null)
  } catch (error) {
    if (isRedirect(error))
      return new Response(null, { status: error.status, headers: { location: error.location } })
    if (isHttpError(error)) return Response.json(error.body, { status: error.status })
    throw error
  }
}

/** Posts a form from a page of the application. */
export function createFormRequest(
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Request {
  return new Request(url, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { origin: new URL(url).origin, ...headers },
  })
}
