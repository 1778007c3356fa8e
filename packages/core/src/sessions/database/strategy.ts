/** Sessions in a database. The cookie carries their token. */
import type { StoreServices } from "../../config/core-services.ts"
import { SignOutError } from "../../errors.ts"
import type { SessionContext } from "../../http/session-context.ts"
import { deleteDatabaseRecord } from "../load-records.ts"
import {
  deleteSessionCookie,
  type EndedSession,
  findValidCandidate,
  haveSeveralUsers,
  type SessionStrategy,
} from "../session-strategy.ts"
import { checkSession, checkToken } from "./check-session.ts"
import { startSession } from "./start-session.ts"
import { findStoredSession, listSessionTokens, listStorableTokens } from "./stored-session.ts"

export function createDatabaseStrategy(services: StoreServices): SessionStrategy {
  return {
    checkSession: (context) => checkSession(services, context),
    hasSeveralUsers: (context) =>
      haveSeveralUsers(listSessionTokens(context), ({ value }) =>
        checkToken(services, context, value),
      ),
    revalidateSession: (context) => checkSession(services, context),
    getSessionBinding: (context) => getSessionBinding(services, context),
    startSession: (context, signInResult) => startSession(services, context, signInResult),
    endSession: (context) => endSession(services, context),
  }
}

async function getSessionBinding(
  services: StoreServices,
  context: SessionContext,
): Promise<string> {
  const tokens = listSessionTokens(context)
  let binding = tokens[0]?.value ?? ""
  if (tokens.length === 1) return binding
  // Of several, the one that is read.
  await findValidCandidate(tokens, (token) => {
    binding = token.value
    return checkToken(services, context, token.value)
  })
  return binding
}

async function endSession(
  services: StoreServices,
  context: SessionContext,
): Promise<EndedSession | undefined> {
  const tokens = listStorableTokens(context)
  try {
    const deleted = await Promise.all(tokens.map((token) => deleteSession(services, token)))
    deleteSessionCookie(context)
    return tokens.length > 0 ? { session: deleted.find(Boolean) ?? null } : undefined
  } catch (cause) {
    throw new SignOutError("The session could not be deleted.", { cause })
  }
}

/** Deletes a session. Some adapters throw if there is none, as for a token that a sub-domain set. */
async function deleteSession(services: StoreServices, token: string) {
  const { store, config } = services
  try {
    const deleted = await store.deleteSession(token)
    if (config.session.records) await deleteDatabaseRecord(services, token)
    return deleted
  } catch (error) {
    // If it cannot be looked up either, it may still be there.
    const mayExist = await findStoredSession(store, token).catch(() => true)
    if (mayExist) throw error
    return null
  }
}
