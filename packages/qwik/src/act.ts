/** What the actions have in common. */
import type { RedirectResult } from "@latchkey/core"
import { assertOwnOrigin } from "@latchkey/core/mounting"
import { setCookies } from "./cookies.ts"
import type { ActionEvent } from "./event.ts"
import { type Failed, failure, type Succeeded } from "./failure.ts"
import { leave } from "./leave.ts"
import { type ConfigSource, configFor, type Visit, visitOf } from "./visit.ts"

/** Does what an action is for, and leads the browser on; or tells why not. */
export async function act(
  event: ActionEvent,
  source: ConfigSource,
  work: (visit: Visit) => Promise<RedirectResult>,
): Promise<Succeeded | Failed<never>> {
  const config = await configFor(event, source)
  let done: RedirectResult
  let visit: Visit
  try {
    visit = visitOf(event, config)
    // Qwik looks too, unless the application told it not to.
    assertOwnOrigin(event.request.headers, visit.url.origin)
    done = await work(visit)
  } catch (error) {
    return failure(event, error)
  }
  setCookies(event, done.cookies)
  visit.session = undefined
  leave(event, done.redirect, visit)
  return {}
}

/** The page that an action was called from: where its form leads to when it does not say. */
export function pageOf({ url, query }: ActionEvent): string {
  const kept = new URLSearchParams(query)
  kept.delete("qaction")
  return kept.size > 0 ? `${url.pathname}?${kept}` : url.pathname
}
