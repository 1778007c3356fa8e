/** Ends the sessions that a session at a provider began: its logout ends them, too. */
import type { SessionRecord } from "../../adapters.ts"
import type { CoreServices } from "../../config/core-services.ts"
import type { SessionInfo } from "../../latchkey-auth.ts"
import { revokeSession } from "./manage-sessions.ts"
import { hashProviderId, parseDetails, toSessionInfo } from "./record-details.ts"
import { getSessionRecords } from "./record-session.ts"

/** A session at a provider by its id there, all sessions of a subject, or both. */
export interface ProviderSession {
  /** Id of the provider. */
  readonly provider: string
  readonly sid?: string | undefined
  readonly sub?: string | undefined
}

/**
 * Ends the sessions that began with a session at a provider, or that a subject began with the provider. Returns those
 * that this call ended.
 *
 * @throws InvalidOption without `session.records`, AdapterError
 */
export async function endProviderSessions(
  services: CoreServices,
  session: ProviderSession,
): Promise<SessionInfo[]> {
  const ended: SessionInfo[] = []
  for (const record of await findRecords(services, session))
    if (await revokeSession(services, record.id, record)) ended.push(toSessionInfo(record))
  return ended
}

/** Returns the id of the provider with which a recorded session began. */
export async function findSessionProvider(
  services: CoreServices,
  id: string,
): Promise<string | undefined> {
  const record = await getSessionRecords(services).store.getSessionRecord(id)
  return record?.id === id ? parseDetails(record).provider : undefined
}

async function findRecords(
  services: CoreServices,
  { provider, sid, sub }: ProviderSession,
): Promise<readonly SessionRecord[]> {
  if (sid !== undefined) {
    const records = await findByHash(services, await hashProviderId("session", provider, sid))
    if (records.length > 0 || sub === undefined) return records
  }
  if (sub === undefined) return []
  // If the ID token did not name the session, it may be any of the subject.
  const unnamed = await findByHash(services, await hashProviderId("subject", provider, sub))
  return sid === undefined
    ? [...unnamed, ...(await findByAccount(services, provider, sub))]
    : unnamed
}

async function findByHash(services: CoreServices, hash: string): Promise<SessionRecord[]> {
  const records = await getSessionRecords(services).store.findSessionRecords(hash)
  // The database may compare hashes loosely.
  return records.filter(({ providerSession }) => providerSession === hash)
}

/** Finds the sessions of a subject by the account that they began with. */
async function findByAccount(
  services: CoreServices,
  provider: string,
  providerAccountId: string,
): Promise<SessionRecord[]> {
  const { store, config } = services
  if (!store || typeof config.adapter?.getUserByAccount !== "function") return []
  const user = await store.getUserByAccount({ provider, providerAccountId })
  if (!user) return []
  const records = await getSessionRecords(services).store.listSessionRecords(user.id)
  return records.filter((record) => {
    const details = parseDetails(record)
    return details.provider === provider && details.providerAccountId === providerAccountId
  })
}
