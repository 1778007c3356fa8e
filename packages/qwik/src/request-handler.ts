/** Requests for the library's own actions. */

import { type ConfigSource, getConfig, getIntegratedAuth } from "./auth-context.ts"
import type { MiddlewareEvent } from "./event.ts"

/** Answers a request for one of the actions by throwing what makes Qwik stop; does nothing for other paths. */
export async function handleRequest(event: MiddlewareEvent, source: ConfigSource): Promise<void> {
  const { request } = event
  const integratedAuth = getIntegratedAuth(event, await getConfig(event, source))
  // The path as it was sent: to the event, what a page asks for in the background looks like the page.
  if (!integratedAuth.isActionPath(new URL(request.url).pathname)) return
  throw event.send(await integratedAuth.handle(request))
}
