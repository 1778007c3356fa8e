import { AuthError } from "@latchkey/core/errors"
import type { Session } from "@latchkey/core/types"
import { type ConfigSource, getConfig } from "./auth-context.ts"
import { getResponseCookies, setNoStore } from "./cookies.ts"
import type { QwikEvent } from "./event.ts"
import { getSession } from "./session.ts"

/** The event of a loader. What is returned is to be thrown. */
interface LoaderEvent extends QwikEvent {
  error(status: 503, message: string): unknown
}

/** The session for a page. One that cannot be checked is not nobody: the page is then not shown at all. */
export async function readPageSession(
  event: LoaderEvent,
  source: ConfigSource,
): Promise<Session | null> {
  try {
    return (await getSession(event, await getConfig(event, source))).data
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    const unavailable = event.error(503, "The session is unavailable.")
    // Making the error took the header away, not the cookies.
    if (getResponseCookies(event).hasCookies) setNoStore(event)
    throw unavailable
  }
}
