/** The facts of a session in a record, beside the members that the database reads. */
import type { SessionRecord } from "../../adapters.ts"
import type { ResolvedSessionRecords } from "../../config/resolved-config.ts"
import { sha256Base64Url } from "../../crypto/digest.ts"
import { AuthError } from "../../errors.ts"
import { parseClientNetwork } from "../../http/private-hosts.ts"
import { addRequest } from "../../http/request-view.ts"
import type { SessionContext } from "../../http/session-context.ts"
import type { SessionInfo } from "../../latchkey-auth.ts"
import type { Logger } from "../../logging/logger.ts"
import { omitUndefined } from "../../objects.ts"
import type { SignInResult } from "../../proven-identity.ts"

/** The details of a record, as JSON. */
export interface RecordDetails
  extends Partial<Pick<SessionInfo, "provider" | "method" | "acr" | "amr" | "label" | "network">> {
  readonly providerAccountId?: string | undefined
  /** In seconds since 1970. */
  readonly authTime?: number | undefined
}

/** Maximum length of the JSON in bytes, and of a label in characters. */
const maxDetailsLength = 8000
const maxLabelLength = 255

/** Describes the device of a session that begins. An error of the application's `deviceLabel` does not prevent the sign-in. */
export async function describeDevice(
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
  const { provider, method, authTime, acr, amr, label, network } = parseDetails(record)
  return {
    id,
    userId,
    createdAt,
    lastSeenAt,
    expires,
    provider,
    method,
    authTime: authTime === undefined ? createdAt : new Date(authTime * 1000),
    acr,
    amr,
    label,
    network,
  }
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

/** Returns the hash by which a logout of the provider finds a session that begins; null if it has none. */
export async function findProviderHash({
  account: { provider, type },
  authentication,
  profile,
}: SignInResult): Promise<string | null> {
  const sid = authentication?.providerSessionId
  if (sid !== undefined) return hashProviderId("session", provider, sid)
  const sub = type === "oidc" ? profile?.sub : undefined
  return typeof sub === "string" ? hashProviderId("subject", provider, sub) : null
}
