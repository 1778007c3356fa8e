/** SolidStart as far as a package sees it: an event for each request, and an answer with the event's headers. */
import {
  ReactiveAuth,
  type ReactiveAuthConfig,
  type StartEvent,
  type StartRequest,
} from "@latchkey/solid-start"
import type { FetchHandler } from "@latchkey/testing"
import type { RequestEvent } from "solid-js/web"
import { provideRequestEvent } from "solid-js/web/storage"

/** An event with the headers of its answer. */
export interface EventWithResponse extends StartEvent<Request> {
  readonly response: { readonly headers: Headers }
}

/** A server function, or a page. What it returns is answered as JSON, what it throws as it is. */
export type Handler = (event: EventWithResponse) => unknown

export const createEvent = (
  request: Request,
  rest: Partial<EventWithResponse> = {},
): EventWithResponse => ({
  request,
  response: { headers: new Headers() },
  ...rest,
})

/** Runs a task while an event is being answered. */
export function runInEvent<T>(event: StartEvent<StartRequest>, handler: () => T): T {
  // Solid asks for more than is looked at here.
  return provideRequestEvent(event as unknown as RequestEvent, handler)
}

/** An application that has the library's routes, and tasks by their paths. */
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
