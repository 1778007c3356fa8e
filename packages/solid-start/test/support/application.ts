/**
 * The parts of SolidStart that the package uses: an event for each request, and a response with the event's headers.
 */
import {
  ReactiveAuth,
  type ReactiveAuthConfig,
  type StartEvent,
  type StartRequest,
} from "@latchkey/solid-start"
import type { FetchHandler } from "@latchkey/testing"
import type { RequestEvent } from "solid-js/web"
import { provideRequestEvent } from "solid-js/web/storage"

/** An event with response headers. */
export interface EventWithResponse extends StartEvent<Request> {
  readonly response: { readonly headers: Headers }
}

/** A server function or a page. Its result is sent as JSON; a thrown response is sent unchanged. */
export type Handler = (event: EventWithResponse) => unknown

export const createEvent = (
  request: Request,
  rest: Partial<EventWithResponse> = {},
): EventWithResponse => ({
  request,
  response: { headers: new Headers() },
  ...rest,
})

/** Runs a function in the context of an event. */
export function runInEvent<T>(event: StartEvent<StartRequest>, handler: () => T): T {
  // The package reads only these properties.
  return provideRequestEvent(event as unknown as RequestEvent, handler)
}

/** Creates an application with the library's routes, and with handlers by path. */
export function createApplication(
  config: ReactiveAuthConfig,
  handlers: Record<string, Handler> = {},
): FetchHandler {
  const { GET, POST } = ReactiveAuth(config)
  return async (request) => {
    const event = createEvent(request)
    const handler = handlers[new URL(request.url).pathname]
    const response = await runInEvent(event, async () => {
      if (handler) return runHandler(handler, event)
      return (
        (await (request.method === "POST" ? POST(event) : GET(event))) ?? createNotFoundResponse()
      )
    })
    for (const line of event.response.headers.getSetCookie()) {
      response.headers.append("set-cookie", line)
    }
    return response
  }
}

const createNotFoundResponse = () => new Response("no such page", { status: 404 })

async function runHandler(handler: Handler, event: EventWithResponse): Promise<Response> {
  try {
    return Response.json((await handler(event)) ?? null)
  } catch (thrown) {
    if (thrown instanceof Response) return new Response(null, thrown)
    throw thrown
  }
}
