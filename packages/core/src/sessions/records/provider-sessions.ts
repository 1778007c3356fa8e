/** Ends the sessions that a session at a provider began: its logout ends them, too. */
import type { SessionRecord } from "../../adapters.ts"
import type { CoreServices } from "../../config/core-services.ts"
import type { SessionInfo } from "../../latchkey-auth.ts"
import { revokeSession } from "./manage-sessions.ts"
import { hashProviderSession, parseDetails, toSessionInfo } from "./record-details.ts"
import { getSessionRecords } from "./record-store.ts"

/** A session at a provider by its id there, or all sessions of an account. */
export interface ProviderSession {
  /** Id of the provider. */
  readonly provider: string
  /** `sid`: the id of the session at the provider. */
  readonly sid?: string | undefined
  /** The account at the provider: with `sid`, only sessions of it end. */
  readonly providerAccountId?: string | undefined
  /** The user who has the account. Needed without `sid`, to find their sessions. */
  readonly userId?: string | undefined
}

/**
 * Ends the sessions that began with a session or an account at a provider. Returns those that this call ended.
 *
 * @throws InvalidOption without `session.records`, AdapterError
 */
export async function endProviderSessions(
  services: CoreServices,
  { provider, sid, providerAccountId, userId }: ProviderSession,
): Promise<SessionInfo[]> {
  const { store } = getSessionRecords(services)
  const found =
    sid === undefined
      ? userId === undefined
        ? []
        : await store.listSessionRecords(userId)
      : await store.findSessionRecords(await hashProviderSession(provider, sid))
  const isMeant = (record: SessionRecord) => {
    const details = parseDetails(record)
    const isAccount =
      providerAccountId === undefined || details.providerAccountId === providerAccountId
    return details.provider === provider && isAccount
  }
  const ended: SessionInfo[] = []
  for (const record of found.filter(isMeant))
    if (await revokeSession(services, record.id, record)) ended.push(toSessionInfo(record))
  return ended
}
