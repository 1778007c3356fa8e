/** `GET session` tells who is signed in; `POST session` changes what the session holds. */
import { JWTSessionError, MissingCSRF } from "../errors.ts"
import type { Visit } from "../http/exchange.ts"
import { json, type Outcome } from "../http/outcome.ts"
import type { SessionUpdate } from "../sessions/strategy.ts"
import type { Session } from "../types.ts"
import { assertOwnForm } from "./csrf-guard.ts"
import type { Action, Services } from "./services.ts"

export const session: Action = async (exchange, services, caller): Promise<Outcome> => {
  if (exchange.method === "GET") return json(await currentSession(exchange, services, undefined))
  try {
    await assertOwnForm(exchange, services, caller, "session")
  } catch (error) {
    if (!(error instanceof MissingCSRF)) throw error
    services.config.log.error(error)
    return json(null, 400)
  }
  const update = { data: exchange.body["data"] }
  return json(await currentSession(exchange, services, update))
}

/**
 * The session of a visit, or null for nobody. Cookies that are of no use any more are deleted.
 *
 * @throws JWTSessionError, SessionTokenError, AdapterError when it could not be checked: that is no answer
 */
export async function currentSession(
  visit: Visit,
  { sessions, config }: Services,
  update: SessionUpdate,
): Promise<Session | null> {
  const read = await sessions.read(visit)
  switch (read.kind) {
    case "none":
      return null
    case "valid":
      return await sessions.present(visit, read, update)
    case "expired":
      sessions.clear(visit)
      return null
    case "invalid":
      logInvalid(read.reason, config)
      if (!read.keep) sessions.clear(visit)
      return null
    case "unavailable":
      throw read.error
  }
}

/** A sealed cookie that does not open was tampered with; a row that is gone was signed out elsewhere. */
function logInvalid(reason: string, { session, log }: Services["config"]): void {
  const text = `The session cookie is of no use: ${reason}.`
  if (session.strategy === "jwt") log.error(new JWTSessionError(text))
  else log.debug("session_invalid", text)
}
