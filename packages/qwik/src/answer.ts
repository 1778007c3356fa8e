/** Requests for the library's own actions. */
import type { AnswerableEvent } from "./event.ts"
import { type ConfigSource, configFor, mountedFor } from "./visit.ts"

/** Answers a request for one of the actions by throwing what makes Qwik stop; does nothing for other paths. */
export async function answer(event: AnswerableEvent, source: ConfigSource): Promise<void> {
  const { request } = event
  const mounted = mountedFor(event, await configFor(event, source))
  // The path as it was sent: to the event, what a page asks for in the background looks like the page.
  if (!mounted.serves(new URL(request.url).pathname)) return
  throw event.send(await mounted.answer(request))
}
