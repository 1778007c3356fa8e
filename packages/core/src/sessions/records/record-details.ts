/** The facts of a session in a record, beside the members that the database reads. */
import type { SessionRecord } from "../../adapters.ts"
import type { SessionServices } from "../../config/core-services.ts"
import { sha256Base64Url } from "../../crypto/digest.ts"
import { AuthError } from "../../errors.ts"
import { parseClientNetwork } from "../../http/private-hosts.ts"
import { addRequest } from "../../http/request-view.ts"
import type { SessionContext } from "../../http/session-context.ts"
import type { SessionInfo } from "../../latchkey-auth.ts"
import { omitUndefined } from "../../objects.ts"
import type { SignInResult } from "../../proven-identity.ts"
import { getSessionRecords } from "./record-store.ts"

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

/** Describes the sign-in that a session begins with. */
export function describeSignIn({ account, authentication }: SignInResult): RecordDetails {
  const { provider, type, providerAccountId } = account
  const { acr, amr } = authentication ?? {}
  return { provider, method: type, providerAccountId, acr, amr }
}

/** Describes the device of a session that begins. */
export async function describeDevice(
  services: SessionServices,
  context: SessionContext,
): Promise<RecordDetails> {
  const { options } = getSessionRecords(services)
  const network = options.network ? parseClientNetwork(context.source.clientAddress) : undefined
  return { label: await createLabel(services, context), network }
}

/** Calls the application's `deviceLabel`. Its error does not prevent the sign-in. */
async function createLabel(
  services: SessionServices,
  context: SessionContext,
): Promise<string | undefined> {
  const { deviceLabel } = getSessionRecords(services).options
  try {
    const label = await deviceLabel?.(addRequest({}, context).request)
    return typeof label === "string" ? label.slice(0, maxLabelLength) : undefined
  } catch (error) {
    const option = "session.records.deviceLabel"
    services.logger.error(
      new AuthError(`The function \`${option}\` failed.`, { option, cause: error }),
    )
    return undefined
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

/** Returns the hash by which the sessions of a provider's session are found. */
export const hashProviderSession = async (provider: string, sid: string): Promise<string> =>
  sha256Base64Url(`provider session ${JSON.stringify([provider, sid])}`)

/** Returns the hash by which the sessions of a subject are found whose sessions at the provider have no id. */
export const hashProviderSubject = async (provider: string, sub: string): Promise<string> =>
  sha256Base64Url(`provider subject ${JSON.stringify([provider, sub])}`)

/** Returns the hash by which a logout of the provider finds a session that begins; null if it has none. */
export async function findProviderHash({
  account: { provider, type },
  authentication,
  profile,
}: SignInResult): Promise<string | null> {
  const sid = authentication?.providerSessionId
  if (sid !== undefined) return hashProviderSession(provider, sid)
  const sub = type === "oidc" ? profile?.sub : undefined
  return typeof sub === "string" ? hashProviderSubject(provider, sub) : null
}
