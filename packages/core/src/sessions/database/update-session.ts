/** The cookie and the row of a session in a database, and how they are updated and renewed. */
import type { AdapterSession, AdapterUser } from "../../adapters.ts"
import { type AdapterStore, parseStoredDate } from "../../config/adapter-store.ts"
import type { StoreServices } from "../../config/core-services.ts"
import { SessionTokenError } from "../../errors.ts"
import type { SessionContext } from "../../http/session-context.ts"
import { isPlainObject } from "../../objects.ts"
import type { Session } from "../../types.ts"
import { callSessionCallback } from "../current-session.ts"
import { databaseRecords } from "../lazy-records.ts"
import { computeEnd, getLifetime, isIdleLimited, type SessionFacts } from "../session-facts.ts"
import {
  type ClientUpdate,
  type CookieCandidate,
  deleteSessionCookie,
  listCandidates,
  waitForCleanup,
} from "../session-strategy.ts"

/** Maximum length of a token in characters. */
export const maxTokenLength = 4096
/**
 * Maximum number of tokens whose sessions a sign-in or sign-out ends. There are several only if a sub-domain set
 * others.
 */
const maxEndedTokens = 32

interface StoredSession {
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
  await waitForCleanup(services, services.store.deleteSession(token))
  if (services.config.session.records) await databaseRecords.deleteDatabaseRecord(services, token)
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

/** How far the clock of the server that renewed a session may be ahead, in milliseconds. */
const clockTolerance = 60_000

/** Returns the session for the client, after the callback. Renews it if that is due, or it is updated. */
export async function updateSession(
  services: StoreServices,
  context: SessionContext,
  { session, user }: StoredSession,
  facts: SessionFacts,
  update: ClientUpdate,
): Promise<Session | null> {
  const { config, emitEvent } = services
  const { sessionToken } = session
  const end = findRenewalDue(services, context, session.expires.getTime(), facts, update)
  if (end !== undefined && !(await renew(services, context, sessionToken, new Date(end), facts))) {
    deleteSessionCookie(context)
    return null
  }
  try {
    // Auth.js passes `expires` as a Date here, and as it was before the renewal.
    const call = (each: ClientUpdate) => {
      const params = { session: { ...session, user }, user }
      return callSessionCallback(config, params, each, context)
    }
    const hasCallback = config.customCallbacks.has("session")
    // The callback may store them, so they wait for a read that may write.
    const hasUpdates = config.session.records && hasCallback && context.canSetCookies
    const returned = await (hasUpdates
      ? databaseRecords.callWithUpdates(services, facts, update, call)
      : call(update))
    if (returned === null) return null
    // The default callback does not return the token, so there is nothing to remove.
    const publicSession = hasCallback ? hideToken(returned, sessionToken) : returned
    // The type describes the message of both strategies; this one has no `token`.
    const message = { session: publicSession } as Parameters<typeof emitEvent<"session">>[1]
    await emitEvent("session", message, context)
    return publicSession
  } catch (cause) {
    throw new SessionTokenError(
      { summary: "A callback failed while the session was read." },
      { cause },
    )
  }
}

/** Returns the new end of a session in milliseconds since 1970; undefined if it stays as it is. */
function findRenewalDue(
  { config }: StoreServices,
  { cookies, cookieDefinitions, canSetCookies }: SessionContext,
  oldEnd: number,
  facts: SessionFacts,
  update: ClientUpdate,
): number | undefined {
  const { updateAge } = getLifetime(config, facts)
  // A session whose beginning is not known cannot be extended if there is an absolute limit.
  const end = computeEnd(config, facts) || oldEnd
  const extension = end - oldEnd
  const hasFormerName = cookies.get(cookieDefinitions.sessionToken.name) === undefined
  const isTooLong = isIdleLimited(config, facts) && extension < -clockTolerance
  const isDue = updateAge === 0 || extension >= updateAge * 1000 || isTooLong || hasFormerName
  return canSetCookies && (isDue || update) ? end : undefined
}

/** Extends a session, unless the database fails. Returns false if a sign-out ended it meanwhile. */
async function renew(
  { store, logger }: StoreServices,
  context: SessionContext,
  sessionToken: string,
  expires: Date,
  facts: SessionFacts,
): Promise<boolean> {
  try {
    const updated = await store.updateSession({ sessionToken, expires })
    // Some adapters return nothing, or null, although they extended the session.
    if ((updated ?? null) === null) {
      const current = await findStoredSession(store, sessionToken)
      if (!current || current.session.expires.getTime() <= Date.now()) return false
    }
  } catch (error) {
    logger.error(error)
    return true
  }
  setSessionCookie(context, sessionToken, expires, facts)
  return true
}

/** Removes the token of a session wherever the callback has put it, because scripts could use it. */
const hideToken = (session: Session, token: string | undefined): Session =>
  token === undefined ? session : (omitText({ ...session }, token, new Set()) as Session)

/** Copies plain data without a text. Instances of classes are not copied. */
function omitText(value: unknown, text: string, path: Set<unknown>): unknown {
  // A cycle cannot become JSON, so it is not copied.
  if ((!Array.isArray(value) && !isPlainObject(value)) || path.has(value)) return value
  path.add(value)
  const copies = Object.entries(Array.isArray(value) ? [...value] : value)
    .filter(([, item]) => item !== text)
    .map(([name, item]) => [name, omitText(item, text, path)] as const)
  path.delete(value)
  return Array.isArray(value) ? copies.map(([, copy]) => copy) : Object.fromEntries(copies)
}
