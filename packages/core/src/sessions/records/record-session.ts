/** The records of sessions that begin, are used and end, and what this process knows of them. */
import type { SessionRecord, SessionRecordStore } from "../../adapters.ts"
import { type AdapterStore, createAdapterStore } from "../../config/adapter-store.ts"
import type { SessionServices } from "../../config/core-services.ts"
import type { ResolvedSessionRecords } from "../../config/resolved-config.ts"
import { sha256Base64Url } from "../../crypto/digest.ts"
import { AuthError, InvalidOption } from "../../errors.ts"
import { parseClientNetwork } from "../../http/private-hosts.ts"
import { addRequest } from "../../http/request-view.ts"
import type { SessionContext } from "../../http/session-context.ts"
import type { SessionInfo } from "../../latchkey-auth.ts"
import type { Logger } from "../../logging/logger.ts"
import { omitUndefined } from "../../objects.ts"
import type { SignInResult } from "../../proven-identity.ts"
import type { SessionFacts } from "../session-facts.ts"
import { ChangeFeed, revocationKey } from "./change-feed.ts"

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
export function getSessionRecords({
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

/** A session that begins. */
export interface StartedSession {
  readonly userId: string
  readonly facts: SessionFacts
  /** When it ends if it is not used, in milliseconds since 1970. */
  readonly end: number
  /** Id of the session that it continues, if its user has added an account. */
  readonly continuedId?: string | undefined
}

/**
 * Saves the record of a session that begins.
 *
 * @throws AdapterError
 */
export async function saveStartedSession(
  services: SessionServices,
  context: SessionContext,
  signInResult: SignInResult,
  { userId, facts, end, continuedId }: StartedSession,
): Promise<void> {
  const records = getSessionRecords(services)
  const now = Date.now()
  const { id = "", epoch = now } = facts
  const { providerSession, details } = await findSignIn(services, signInResult, continuedId)
  await records.store.saveSessionRecord({
    id,
    userId,
    createdAt: new Date(epoch),
    lastSeenAt: new Date(now),
    expires: new Date(end),
    providerSession,
    providerSubject: null,
    details: serializeDetails({
      ...details,
      ...(await describeDevice(records.options, context, services.logger)),
      authTime: facts.authTime,
    }),
  })
  rememberUse(records.lastSeen, id, now)
}

/** Returns the sign-in that a session began with. An account that is added to a session begins none. */
async function findSignIn(
  services: SessionServices,
  signInResult: SignInResult,
  continuedId: string | undefined,
): Promise<{ readonly providerSession: string | null; readonly details: RecordDetails }> {
  const { account, authentication, profile, isAddedAccount } = signInResult
  if (!isAddedAccount) {
    const { provider, type: method, providerAccountId } = account
    const { acr, amr, providerSessionId: sid } = authentication ?? {}
    const sub = method === "oidc" ? profile?.sub : undefined
    // A logout of the provider finds the session by this hash.
    let providerSession: string | null = null
    if (sid !== undefined) providerSession = await hashProviderId("session", provider, sid)
    else if (typeof sub === "string")
      providerSession = await hashProviderId("subject", provider, sub)
    return { providerSession, details: { provider, method, providerAccountId, acr, amr } }
  }
  const { store } = getSessionRecords(services)
  const record = continuedId === undefined ? null : await store.getSessionRecord(continuedId)
  // The database may compare ids loosely.
  if (record?.id !== continuedId || !record) return { providerSession: null, details: {} }
  return { providerSession: record.providerSession, details: parseDetails(record) }
}

/** Maximum number of sessions whose last use a process remembers. */
const maxRemembered = 10_000

/** A session that is used. Its end is `NaN` if it cannot be extended. */
type UsedSession = Omit<StartedSession, "continuedId">

/** Records that a session is used, at most once in an interval. Never throws, and does not wait for the store. */
export function recordUse(services: SessionServices, session: UsedSession): void {
  const { lastSeen, options } = getSessionRecords(services)
  const { id = "" } = session.facts
  const now = Date.now()
  const last = lastSeen.get(id)
  if (last !== undefined && now - last < options.lastSeenInterval * 1000) return
  rememberUse(lastSeen, id, now)
  saveUse(services, id, session, now).catch((error: unknown) => services.logger.error(error))
}

/** Remembers a use that is recorded already. */
function rememberUse(lastSeen: Map<string, number>, id: string, now: number): void {
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
  const { store } = getSessionRecords(services)
  const use = { id, lastSeenAt: new Date(now) }
  const expires = new Date(end)
  if (await store.updateSessionRecord(end ? { ...use, expires } : use)) return
  const { createdAt, epoch = (createdAt ?? now / 1000) * 1000, provider, authTime } = facts
  await store.saveSessionRecord({
    ...use,
    expires: end ? expires : new Date(now + services.config.session.maxAge * 1000),
    userId,
    createdAt: new Date(epoch),
    providerSession: null,
    providerSubject: null,
    details: serializeDetails({ provider, authTime }),
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
  return getSessionRecords(services).store.deleteSessionRecord(id)
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
  const { feed, options } = getSessionRecords(services)
  const lifetime = Math.max(session.maxAge, jwt.maxAge) + options.maxStaleness + expiryMargin
  await feed.save({
    key,
    changedAt: new Date(changedAt),
    expires: new Date(Math.max(latestEnd, Date.now() + lifetime * 1000)),
    details: JSON.stringify(details),
  })
}

/** The details of a record, as JSON. */
interface RecordDetails
  extends Partial<Pick<SessionInfo, "provider" | "method" | "acr" | "amr" | "label" | "network">> {
  readonly providerAccountId?: string | undefined
  /** In seconds since 1970. */
  readonly authTime?: number | undefined
}

/** Maximum length of the JSON in bytes, and of a label in characters. */
const maxDetailsLength = 8000
const maxLabelLength = 255

/** Describes the device of a session that begins. An error of the application's `deviceLabel` does not prevent the sign-in. */
async function describeDevice(
  { network, deviceLabel }: ResolvedSessionRecords,
  context: SessionContext,
  logger: Logger,
): Promise<Pick<RecordDetails, "label" | "network">> {
  let label: unknown
  try {
    label = await deviceLabel?.(addRequest({}, context).request)
  } catch (cause) {
    const option = "session.records.deviceLabel"
    logger.error(new AuthError(`The function \`${option}\` failed.`, { option, cause }))
  }
  return {
    label: typeof label === "string" ? label.slice(0, maxLabelLength) : undefined,
    network: network ? parseClientNetwork(context.source.clientAddress) : undefined,
  }
}

/** Writes details. Leaves out what a provider may make very long if it has to. */
function serializeDetails({ acr, amr, ...details }: RecordDetails): string {
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
  const { provider, method, acr, amr, label, network } = details
  const authTime = details.authTime === undefined ? createdAt : new Date(details.authTime * 1000)
  const signIn = { provider, method, authTime, acr, amr }
  return { id, userId, createdAt, lastSeenAt, expires, ...signIn, label, network }
}

/** Returns the id of a session by its token. It cannot be used to sign in. */
export const hashToken = async (token: string): Promise<string> =>
  sha256Base64Url(`session id ${token}`)

/** Returns the hash by which the sessions of a session at a provider are found, or those of a subject without such an id. */
export const hashProviderId = async (
  kind: "session" | "subject",
  provider: string,
  id: string,
): Promise<string> => sha256Base64Url(`provider ${kind} ${JSON.stringify([provider, id])}`)
