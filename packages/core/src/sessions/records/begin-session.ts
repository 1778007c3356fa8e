/** Sign-ins of applications that record sessions: what ends one that is under way, and the record of its session. */
import type { SessionRecord } from "../../adapters.ts"
import type { SessionServices } from "../../config/core-services.ts"
import type { ResolvedSessionRecords } from "../../config/resolved-config.ts"
import { sha256Base64Url } from "../../crypto/digest.ts"
import { randomToken } from "../../crypto/random.ts"
import { AccessDenied, AuthError } from "../../errors.ts"
import { parseClientNetwork } from "../../http/private-hosts.ts"
import { addRequest } from "../../http/request-view.ts"
import type { SessionContext } from "../../http/session-context.ts"
import type { Logger } from "../../logging/logger.ts"
import type { SignInResult, SignInSnapshot } from "../../proven-identity.ts"
import { waitForCleanup } from "../session-strategy.ts"
import { hashUserId, logoutKey } from "./known-changes.ts"
import {
  getRecordServices,
  parseDetails,
  type RecordDetails,
  rememberUse,
  serializeDetails,
  toRecordExpiry,
  type UsedSession,
} from "./record-session.ts"

/**
 * Remembers which changes of sessions are known as a sign-in begins: what is revoked from now on ends it.
 *
 * @throws JWTSessionError if the store cannot be reached
 */
export async function takeSignInSnapshot(services: SessionServices): Promise<SignInSnapshot> {
  const { feed } = getRecordServices(services)
  await feed.refresh({ canWatch: false }) // the second read of a sign-in is of the same request
  return { id: randomToken().slice(0, 22), position: feed.known.position }
}

/** A session that begins. */
export interface StartedSession extends UsedSession {
  /** Id of the session that it continues, if its user has added an account. */
  readonly continuedId?: string | undefined
}

/**
 * Saves the record of a session that begins, before the browser gets the session. So a revocation finds the record, or
 * is found here.
 *
 * @throws AccessDenied if the user's sessions were revoked, or the provider has ended its session, since the sign-in began
 * @throws AdapterError, JWTSessionError
 */
export async function saveStartedSession(
  services: SessionServices,
  context: SessionContext,
  signInResult: SignInResult,
  { userId, facts, end, continuedId }: StartedSession,
): Promise<void> {
  const { store, options, lastSeen } = getRecordServices(services)
  const now = Date.now()
  const { id = "", epoch = now, authTime, factorTime, factorMethod } = facts
  const { details, ...hashes } = await findSignIn(services, signInResult, continuedId)
  const device = await describeDevice(options, context, services.logger)
  await store.saveSessionRecord({
    id,
    userId,
    createdAt: new Date(epoch),
    lastSeenAt: new Date(now),
    expires: toRecordExpiry(options, now, end),
    ...hashes,
    details: serializeDetails({ ...details, ...device, authTime, factorTime, factorMethod }),
  })
  rememberUse(lastSeen, id, now)
  try {
    await assertNotRevoked(services, signInResult, userId, hashes)
  } catch (error) {
    await waitForCleanup(services, store.deleteSessionRecord(id))
    throw error
  }
}

/** Hashes by which a logout of the provider finds a session. */
type ProviderHashes = Pick<SessionRecord, "providerSession" | "providerSubject">

async function assertNotRevoked(
  services: SessionServices,
  { snapshot, profile, authentication, account: { provider } }: SignInResult,
  userId: string,
  { providerSession, providerSubject }: ProviderHashes,
): Promise<void> {
  if (!snapshot) return
  const { feed } = getRecordServices(services)
  await feed.refresh({ canWatch: false })
  const issuedAt = Number(profile?.["iat"])
  const isLoggedOut = (key: string, time = issuedAt) =>
    feed.known.isLoggedOutSince(snapshot, key, time)
  const isRevoked =
    feed.known.isUserRevokedSince(snapshot, await hashUserId(userId)) ||
    // The authentication may be older than the ID token: the session at the provider began with it.
    (providerSession !== null &&
      isLoggedOut(logoutKey(providerSession), authentication?.authTime)) ||
    (providerSubject !== null && isLoggedOut(logoutKey(providerSubject))) ||
    // A logout of a session that the ID token did not name may be of this one.
    (providerSubject !== null &&
      providerSession === null &&
      isLoggedOut(logoutKey(providerSubject, "unnamed")))
  if (!isRevoked) return
  const expected =
    "no revocation of the user's sessions, and no logout by the provider, since the sign-in began"
  throw new AccessDenied({ provider, expected, hint: "The user can sign in again." })
}

/** Returns the sign-in that a session began with. An account that is added to a session begins none. */
async function findSignIn(
  services: SessionServices,
  { account, authentication, profile, isAddedAccount }: SignInResult,
  continuedId: string | undefined,
): Promise<ProviderHashes & { readonly details: RecordDetails }> {
  if (!isAddedAccount) {
    const { provider, type: method, providerAccountId } = account
    const { acr, amr, providerSessionId: sid } = authentication ?? {}
    const sub = method === "oidc" ? profile?.sub : undefined
    return {
      providerSession: sid === undefined ? null : await hashProviderId("session", provider, sid),
      providerSubject:
        typeof sub === "string" ? await hashProviderId("subject", provider, sub) : null,
      details: { provider, method, providerAccountId, acr, amr },
    }
  }
  const { store } = getRecordServices(services)
  const record = continuedId === undefined ? null : await store.getSessionRecord(continuedId)
  // The database may compare ids loosely.
  if (record?.id !== continuedId || !record)
    return { providerSession: null, providerSubject: null, details: {} }
  const { providerSession, providerSubject } = record
  return { providerSession, providerSubject, details: parseDetails(record) }
}

/** Maximum length of a label, in characters. */
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
    logger.error(new AuthError({ summary: `The function \`${option}\` failed.`, option, cause }))
  }
  return {
    label: typeof label === "string" ? label.slice(0, maxLabelLength) : undefined,
    network: network ? parseClientNetwork(context.source.clientAddress) : undefined,
  }
}

/** Returns the hash by which the sessions of a session at a provider are found, or those of a subject without such an id. */
export const hashProviderId = async (
  kind: "session" | "subject",
  provider: string,
  id: string,
): Promise<string> => sha256Base64Url(`provider ${kind} ${JSON.stringify([provider, id])}`)
