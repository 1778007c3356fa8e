/** The records of sessions that begin, are used and end, and what this process knows of them. */
import type { SessionRecord, SessionRecordStore } from "../../adapters.ts"
import { type AdapterStore, createAdapterStore } from "../../config/adapter-store.ts"
import type { SessionServices } from "../../config/core-services.ts"
import type { ResolvedSessionRecords } from "../../config/resolved-config.ts"
import { sha256Base64Url } from "../../crypto/digest.ts"
import { InvalidOption } from "../../errors.ts"
import type { SessionInfo } from "../../latchkey-auth.ts"
import type { Logger } from "../../logging/logger.ts"
import { omitUndefined } from "../../objects.ts"
import { getAcrAndAmr, type SessionFacts } from "../session-facts.ts"
import { ChangeFeed } from "./change-feed.ts"
import { revocationKey } from "./known-changes.ts"

/** The known changes of a store. */
interface SharedRecords {
  readonly store: AdapterStore
  readonly feed: ChangeFeed
  /** When this process last recorded that a session was used, by its id. */
  readonly lastSeen: Map<string, number>
}

/** Configurations with the same store share what is known of it. */
const recordsOfStores = new WeakMap<object, SharedRecords>()

/**
 * Returns the records of a configuration.
 *
 * @throws InvalidOption if it has none
 */
export function getRecordServices({
  config,
  logger,
}: SessionServices): SharedRecords & { readonly options: ResolvedSessionRecords } {
  const options = config.session.records
  // A store that is missing is an error of the configuration, which refuses every request.
  if (!options?.store)
    throw new InvalidOption({
      option: "session.records",
      expected: "the option `session.records`",
      received: "nothing",
      hint: "Write `session: { records: true }`: sessions are recorded from then on.",
    })
  const shared = recordsOfStores.get(options.store) ?? openStore(options.store, logger)
  recordsOfStores.set(options.store, shared)
  return { ...shared, options }
}

function openStore(adapter: Partial<SessionRecordStore>, logger: Logger): SharedRecords {
  const store = createAdapterStore(adapter, logger)
  const canWatch = typeof adapter.watchSessionChanges === "function"
  return { store, feed: new ChangeFeed(store, canWatch, logger), lastSeen: new Map() }
}

/** Maximum number of sessions whose last use a process remembers. */
const maxRemembered = 10_000

/** A session that is used. */
export interface UsedSession {
  readonly userId: string
  readonly facts: SessionFacts
  /** When it ends if it is not used, in milliseconds since 1970; `NaN` if it cannot be extended. */
  readonly end: number
}

/** Records that a session is used, at most once in an interval. Never throws, and does not wait for the store. */
export function recordUse(services: SessionServices, session: UsedSession): void {
  const { lastSeen, options } = getRecordServices(services)
  const { id = "" } = session.facts
  const now = Date.now()
  const last = lastSeen.get(id)
  if (last !== undefined && now - last < getUseInterval(options, now, session.end)) return
  rememberUse(lastSeen, id, now)
  saveUse(services, id, session, now).catch((error: unknown) => services.logger.error(error))
}

/** Returns how long a use is not recorded again, in milliseconds: a part of the time that a session may be unused. */
const getUseInterval = (
  { lastSeenInterval }: ResolvedSessionRecords,
  now: number,
  end: number,
): number => Math.min(lastSeenInterval * 1000, Number.isNaN(end) ? Infinity : (end - now) / 4)

/** Returns when a record may be forgotten: after its session, whose next uses may not be recorded. */
export const toRecordExpiry = (options: ResolvedSessionRecords, now: number, end: number): Date =>
  new Date(end + getUseInterval(options, now, end))

/** Remembers a use that is recorded already. */
export function rememberUse(lastSeen: Map<string, number>, id: string, now: number): void {
  lastSeen.delete(id)
  lastSeen.set(id, now)
  const [oldest = id] = lastSeen.keys()
  if (lastSeen.size > maxRemembered) lastSeen.delete(oldest)
}

/** Saves a use. A session without a record gets one: it is older than the option, or its record was lost. */
async function saveUse(
  services: SessionServices,
  id: string,
  { userId, facts, end }: UsedSession,
  now: number,
): Promise<void> {
  const { store, options } = getRecordServices(services)
  const use = { id, lastSeenAt: new Date(now) }
  const expires = toRecordExpiry(options, now, end)
  if (await store.updateSessionRecord(end ? { ...use, expires } : use)) return
  const {
    createdAt,
    epoch = (createdAt ?? now / 1000) * 1000,
    provider,
    authTime,
    factorTime,
    factorMethod,
  } = facts
  await store.saveSessionRecord({
    ...use,
    expires: end ? expires : new Date(now + services.config.session.maxAge * 1000),
    userId,
    createdAt: new Date(epoch),
    providerSession: null,
    providerSubject: null,
    details: serializeDetails({ provider, authTime, factorTime, factorMethod }),
  })
}

/**
 * Revokes a sealed session, so that copies of its cookie are refused, too. Returns whether it had a record.
 *
 * @param latestEnd when the last token of the session ends, if that is later than those of new tokens
 * @throws AdapterError
 */
export async function revokeSealedSession(
  services: SessionServices,
  id: string,
  latestEnd = 0,
): Promise<boolean> {
  await saveChange(services, revocationKey(id), Date.now(), {}, latestEnd)
  return getRecordServices(services).store.deleteSessionRecord(id)
}

/** How much longer a change is kept than the last token may last: another process may not know of it yet, in seconds. */
const expiryMargin = 600

/**
 * Stores a change of sealed sessions, for as long as a token may last that is renewed now or soon.
 *
 * @param latestEnd when the last token of the sessions ends, if that is later
 * @throws AdapterError
 */
export async function saveChange(
  services: SessionServices,
  key: string,
  changedAt: number,
  details: object,
  latestEnd = 0,
): Promise<void> {
  const { session, jwt } = services.config
  const { feed, options } = getRecordServices(services)
  const lifetime = Math.max(session.maxAge, jwt.maxAge) + options.maxStaleness + expiryMargin
  await feed.save({
    key,
    changedAt: new Date(changedAt),
    expires: new Date(Math.max(latestEnd, Date.now() + lifetime * 1000)),
    details: JSON.stringify(details),
  })
}

/** The details of a record, as JSON. */
export interface RecordDetails
  extends Partial<Pick<SessionInfo, "provider" | "method" | "acr" | "amr" | "label" | "network">> {
  readonly providerAccountId?: string | undefined
  /** In seconds since 1970. */
  readonly authTime?: number | undefined
  /** In seconds since 1970. */
  readonly factorTime?: number | undefined
  readonly factorMethod?: SessionFacts["factorMethod"]
}

/** Maximum length of the JSON, in bytes. */
const maxDetailsLength = 8000

/** Writes details. Leaves out what a provider may make very long if it has to. */
export function serializeDetails({ acr, amr, ...details }: RecordDetails): string {
  const text = JSON.stringify(omitUndefined({ ...details, acr, amr }))
  const length = new TextEncoder().encode(text).byteLength
  return length <= maxDetailsLength ? text : JSON.stringify(omitUndefined(details))
}

/** Only this library writes them. */
export const parseDetails = ({ details }: SessionRecord): RecordDetails => JSON.parse(details)

/** Returns what applications learn of a session. */
export function toSessionInfo(record: SessionRecord): SessionInfo {
  const { id, userId, createdAt, lastSeenAt, expires } = record
  const details = parseDetails(record)
  const { provider, method, label, network } = details
  const { acr, amr } = getAcrAndAmr(details, details)
  const authTime = details.authTime === undefined ? createdAt : new Date(details.authTime * 1000)
  const { factorTime: factorSecond } = details
  const factorTime = factorSecond === undefined ? undefined : new Date(factorSecond * 1000)
  const level = factorTime ? 2 : 1
  const signIn = { provider, method, authTime, acr, amr, level, factorTime } as const
  return { id, userId, createdAt, lastSeenAt, expires, ...signIn, label, network }
}

/** Returns the id of a session by its token. It cannot be used to sign in. */
export const deriveSessionId = async (token: string): Promise<string> =>
  sha256Base64Url(`session id ${token}`)
