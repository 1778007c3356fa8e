/** The cookie and the row of a session in a database. */
import type { AdapterSession, AdapterUser } from "../../adapters.ts"
import { type AdapterStore, parseStoredDate } from "../../config/adapter-store.ts"
import type { StoreServices } from "../../config/core-services.ts"
import type { SessionContext } from "../../http/session-context.ts"
import { deleteDatabaseRecord } from "../load-records.ts"
import type { SessionFacts } from "../session-facts.ts"
import {
  type CookieCandidate,
  deleteSessionCookie,
  listCandidates,
  waitForEnd,
} from "../session-strategy.ts"

/** Maximum length of a token in characters. */
export const maxTokenLength = 4096
/**
 * Maximum number of tokens whose sessions a sign-in or sign-out ends. There are several only if a sub-domain set
 * others.
 */
const maxEndedTokens = 32

export interface StoredSession {
  readonly session: AdapterSession
  readonly user: AdapterUser
}

/**
 * Returns the session with a token, also if it has expired; undefined if there is none.
 *
 * @throws AdapterError, TypeError
 */
export async function findStoredSession(
  store: AdapterStore,
  token: string,
): Promise<StoredSession | undefined> {
  const stored = await store.getSessionAndUser(token)
  // Without foreign keys, a database may keep the session of a user who was deleted.
  if (!stored || stored.session === null || (stored.session && !stored.user)) return undefined
  const session = { ...stored.session, expires: parseStoredDate(stored.session.expires) }
  if (Number.isNaN(session.expires.getTime()))
    throw new TypeError("`expires` of the stored session is no date")
  return { session, user: stored.user }
}

/** Ends a session that is no longer needed. Never throws. */
export async function endOldSession(services: StoreServices, token: string): Promise<void> {
  await waitForEnd(services, services.store.deleteSession(token))
  if (services.config.session.records) await deleteDatabaseRecord(services, token)
}

export function listSessionTokens(context: SessionContext): readonly CookieCandidate[] {
  return listCandidates(context, (cookies, name) => cookies.getAll(name))
}

/** Lists the tokens whose sessions end with the one of the browser. */
export function listStorableTokens(context: SessionContext): readonly string[] {
  const tokens = listSessionTokens(context).slice(0, maxEndedTokens)
  return tokens.map(({ value }) => value).filter(isStorable)
}

/** Whether a database may have the token. Control characters make some databases fail. */
export function isStorable(token: string): boolean {
  return token.length <= maxTokenLength && !/\p{Cc}/u.test(token)
}

export function setSessionCookie(
  context: SessionContext,
  token: string,
  expires: Date,
  { isTemporary }: SessionFacts,
): void {
  deleteSessionCookie(context)
  // A browser deletes a cookie without an expiry when it is closed.
  const attributes = isTemporary ? {} : { expires }
  context.jar.set(context.cookieDefinitions.sessionToken, token, attributes)
}
