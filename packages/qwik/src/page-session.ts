import { AuthError } from "@latchkey/core/errors"
import type { Session } from "@latchkey/core/types"
import { cookiesOf, keepOutOfCaches } from "./cookies.ts"
import type { AuthEvent } from "./event.ts"
import { getSession } from "./session.ts"
import { type ConfigSource, configFor } from "./visit.ts"

/** The event of a loader. What is returned is to be thrown. */
interface LoaderEvent extends AuthEvent {
  error(status: 503, message: string): unknown
}

/** The session for a page. One that cannot be checked is not nobody: the page is then not shown at all. */
export async function pageSession(
  event: LoaderEvent,
  source: ConfigSource,
): Promise<Session | null> {
  try {
    return (await getSession(event, await configFor(event, source))).data
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    const unavailable = event.error(503, "The session is unavailable.")
    // Making the error took the header away, not the cookies.
    if (cookiesOf(event).areSet) keepOutOfCaches(event)
    throw unavailable
  }
}
