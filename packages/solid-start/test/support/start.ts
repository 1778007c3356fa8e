/** SolidStart as far as a package sees it: an event for each request, and an answer with the event's headers. */
import {
  ReactiveAuth,
  type ReactiveAuthConfig,
  type StartEvent,
  type StartRequest,
} from "@latchkey/solid-start"
import type { App } from "@latchkey/testing"
import type { RequestEvent } from "solid-js/web"
import { provideRequestEvent } from "solid-js/web/storage"

/** An event with the headers of its answer. */
export interface AnsweredEvent extends StartEvent<Request> {
  readonly response: { readonly headers: Headers }
}

/** A server function, or a page. What it returns is answered as JSON, what it throws as it is. */
export type Task = (event: AnsweredEvent) => unknown

export const eventFor = (request: Request, rest: Partial<AnsweredEvent> = {}): AnsweredEvent => ({
  request,
  response: { headers: new Headers() },
  ...rest,
})

/** Runs a task while an event is being answered. */
export function during<T>(event: StartEvent<StartRequest>, task: () => T): T {
  // Solid asks for more than is looked at here.
  return provideRequestEvent(event as unknown as RequestEvent, task)
}

/** An application that has the library's routes, and tasks by their paths. */
export function application(config: ReactiveAuthConfig, tasks: Record<string, Task> = {}): App {
  const { GET, POST } = ReactiveAuth(config)
  return async (request) => {
    const event = eventFor(request)
    const task = tasks[new URL(request.url).pathname]
    const answer = await during(event, async () => {
      if (task) return answerOf(task, event)
      return (await (request.method === "POST" ? POST(event) : GET(event))) ?? notFound()
    })
    for (const line of event.response.headers.getSetCookie()) {
      answer.headers.append("set-cookie", line)
    }
    return answer
  }
}

const notFound = () => new Response("no such page", { status: 404 })

async function answerOf(task: Task, event: AnsweredEvent): Promise<Response> {
  try {
    return Response.json((await task(event)) ?? null)
  } catch (thrown) {
    if (thrown instanceof Response) return new Response(null, thrown)
    throw thrown
  }
}
