/** The session of a request, as its client receives it. */
import type { SessionServices } from "../config/core-services.ts"
import type { SessionContext } from "../http/session-context.ts"
import { loadOnFirstCall } from "../load-on-first-call.ts"
import type { Session } from "../types.ts"
import type { SessionFacts } from "./session-facts.ts"
import { deleteSessionCookie, type SessionReader, type SessionUpdate } from "./session-strategy.ts"

/** The services of a configuration with the strategy that reads its sessions. */
export interface SessionReadServices extends SessionServices {
  readonly sessions: SessionReader
}

/** The session that the client receives, null if nobody is signed in. */
export interface CurrentSession {
  readonly session: Session | null
  readonly facts?: SessionFacts
}

const noSession: CurrentSession = { session: null }

/** Anybody can send invalid cookies, and a repeated import takes longer than the function. */
const logInvalidCookie = loadOnFirstCall(
  async () => (await import("./session-failures.ts")).logInvalidCookie,
)

/**
 * Returns the current session. Deletes session cookies that are no longer valid.
 *
 * @throws JWTSessionError, SessionTokenError, AdapterError if the session could not be checked; it may still be valid
 */
export async function getCurrentSession(
  context: SessionContext,
  services: SessionReadServices,
  update: SessionUpdate,
): Promise<CurrentSession> {
  const read = await services.sessions.readSession(context)
  switch (read.kind) {
    case "none":
      return noSession
    case "valid":
      return { session: await read.toPublicSession(update), facts: read.facts }
    case "expired":
      deleteSessionCookie(context)
      return noSession
    case "invalid": {
      await logInvalidCookie(services, read.reason)
      if (!read.keepCookie) deleteSessionCookie(context)
      return noSession
    }
    case "unavailable":
      throw read.error
  }
}
