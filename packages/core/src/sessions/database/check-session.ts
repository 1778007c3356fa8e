/** Checks sessions in a database. */
import type { StoreServices } from "../../config/core-services.ts"
import { SessionTokenError } from "../../errors.ts"
import type { SessionContext } from "../../http/session-context.ts"
import { readRecordedFacts } from "../load-records.ts"
import { getAbsoluteEnd, hasFactsInToken, readFactsOfToken } from "../session-facts.ts"
import { type CheckResult, findValidCandidate } from "../session-strategy.ts"
import {
  endOldSession,
  findStoredSession,
  isStorable,
  listSessionTokens,
} from "./stored-session.ts"
import { updateSession } from "./update-session.ts"

export function checkSession(
  services: StoreServices,
  context: SessionContext,
): Promise<CheckResult> {
  return findValidCandidate(listSessionTokens(context), ({ value }) =>
    checkToken(services, context, value),
  )
}

export async function checkToken(
  services: StoreServices,
  context: SessionContext,
  token: string,
): Promise<CheckResult> {
  if (!isStorable(token)) return { kind: "invalid", reason: "no session can have this token" }
  const { config, store } = services
  try {
    const stored = await findStoredSession(store, token)
    if (!stored) return { kind: "invalid", reason: "no session has this token" }
    const { session, user } = stored
    if (session.expires.getTime() <= Date.now()) {
      if (context.canSetCookies) await endOldSession(services, token)
      return { kind: "expired" }
    }
    // The session has an id only if sessions are recorded.
    const tokenFacts = hasFactsInToken(config) ? readFactsOfToken(token) : {}
    if (getAbsoluteEnd(config, tokenFacts) <= Date.now()) {
      if (context.canSetCookies) await endOldSession(services, token)
      return { kind: "expired" }
    }
    const facts = config.session.records
      ? await readRecordedFacts(services, context, token, tokenFacts, user.id)
      : tokenFacts
    return {
      kind: "valid",
      userId: user.id,
      facts,
      toPublicSession: (update) => updateSession(services, context, stored, facts, update),
    }
  } catch (cause) {
    const error = new SessionTokenError("The session could not be looked up.", { cause })
    return { kind: "unavailable", error }
  }
}
