/** Lists, renames and deletes the passkeys of stored users, for server code. */
import type { AdapterAuthenticator } from "../adapters.ts"
import { factorMethods } from "../config/adapter-methods.ts"
import type { CoreServices, RunWithServices, StoreServices } from "../config/core-services.ts"
import { reportSecurityEvent } from "../config/report-security-event.ts"
import { requireAdapterMethods, requireDatabase } from "../config/stored-accounts.ts"
import { InvalidProvider } from "../errors.ts"
import { getAuthenticatorName } from "../flows/passkeys/authenticator-names.ts"
import { base64ToBase64Url, base64UrlToBase64 } from "../flows/passkeys/credential.ts"
import {
  changePasskeyDetails,
  type PasskeyDetails,
  readPasskeyDetails,
} from "../flows/passkeys/passkey-details.ts"
import type {
  DeletedPasskeyInput,
  PasskeyInfo,
  RelatedOrigins,
  RenamedPasskeyInput,
  ServerAuth,
} from "../latchkey-auth.ts"
import { loadOnFirstCall } from "../load-on-first-call.ts"
import type { ResolvedWebAuthnProvider } from "../providers/resolved-provider.ts"
import { unlinkAccount } from "./server-accounts.ts"

const mail = loadOnFirstCall(() => import("../flows/email/security-mail.ts"))

/** Creates the functions. @param run runs each call with the services of a configuration */
export function createServerPasskeys(run: RunWithServices): ServerAuth["passkeys"] {
  return {
    list: (userId) => run((services) => listPasskeys(services, userId)),
    rename: (input) => run((services) => renamePasskey(services, input)),
    delete: (input) => run((services) => deletePasskey(services, input)),
    getRelatedOrigins: () => run(getRelatedOrigins),
  }
}

/** Returns the providers of passkeys. @throws InvalidProvider if there are none */
function listProviders({ config }: CoreServices): readonly ResolvedWebAuthnProvider[] {
  const providers = [...config.providers.values()].filter((each) => each.type === "webauthn")
  if (providers.length > 0) return providers
  throw new InvalidProvider({
    expected: "a passkey provider",
    hint: "Import `passkey` from `@latchkey/core/passkeys`, and add `passkey()` to `providers`.",
  })
}

interface StoredPasskey {
  readonly record: AdapterAuthenticator
  readonly info: PasskeyInfo
}

/** Returns the passkeys of a user, the oldest first. Those of unknown age are the oldest. */
async function findPasskeys(services: StoreServices, userId: string): Promise<StoredPasskey[]> {
  const { store } = services
  const providers = listProviders(services)
  requireAdapterMethods(services, ["listAuthenticatorsByUserId", "getAccount"])
  const records = await store.listAuthenticatorsByUserId(userId)
  const readDetails = await readPasskeyDetails(services, String(userId))
  const passkeys: StoredPasskey[] = []
  for (const record of records) {
    for (const { id: provider } of providers) {
      const account = await store.getAccount(record.providerAccountId, provider)
      // The database may compare ids loosely.
      if (!account || String(account.userId) !== String(userId)) continue
      const details = await readDetails(record.credentialID)
      passkeys.push({ record, info: describePasskey(record, provider, details) })
    }
  }
  const getTime = ({ info }: StoredPasskey) => info.createdAt?.getTime() ?? 0
  return passkeys.sort((a, b) => getTime(a) - getTime(b))
}

function describePasskey(
  record: AdapterAuthenticator,
  provider: string,
  { name, aaguid, createdAt, lastUsedAt, isBackedUp }: PasskeyDetails,
): PasskeyInfo {
  const toDate = (time: number | undefined) => (time === undefined ? undefined : new Date(time))
  return {
    id: base64ToBase64Url(record.credentialID),
    provider,
    name: name ?? getAuthenticatorName(aaguid),
    createdAt: toDate(createdAt),
    lastUsedAt: toDate(lastUsedAt),
    isSynced: record.credentialDeviceType === "multiDevice",
    isBackedUp: isBackedUp ?? Boolean(record.credentialBackedUp),
    transports: record.transports?.split(",").filter(Boolean) ?? [],
  }
}

async function listPasskeys(services: CoreServices, userId: string): Promise<PasskeyInfo[]> {
  const passkeys = await findPasskeys(requireDatabase(services), userId)
  return passkeys.map(({ info }) => info)
}

async function findPasskey(
  services: StoreServices,
  { userId, id }: { readonly userId: string; readonly id: string },
): Promise<StoredPasskey | undefined> {
  const wanted = base64ToBase64Url(String(id))
  return (await findPasskeys(services, userId)).find(({ info }) => info.id === wanted)
}

/** The most characters of a name. */
const maxNameLength = 64

async function renamePasskey(
  coreServices: CoreServices,
  input: RenamedPasskeyInput,
): Promise<PasskeyInfo | null> {
  const services = requireDatabase(coreServices)
  const name = typeof input.name === "string" ? input.name.trim() : ""
  if (name === "" || name.length > maxNameLength)
    throw new TypeError(`The name of a passkey must be text of 1 to ${maxNameLength} characters`)
  requireAdapterMethods(services, factorMethods)
  const passkey = await findPasskey(services, input)
  if (!passkey) return null
  const userId = String(input.userId)
  await changePasskeyDetails(services, userId, passkey.record.credentialID, { name })
  const { provider } = passkey.info
  await reportSecurityEvent(services, "passkey-renamed", { userId, provider })
  await mail.sendNotice(services, { id: userId }, "passkey-renamed")
  return { ...passkey.info, name }
}

async function deletePasskey(
  coreServices: CoreServices,
  { id, ...input }: DeletedPasskeyInput,
): Promise<PasskeyInfo | null> {
  const services = requireDatabase(coreServices)
  const passkey = await findPasskey(services, { userId: input.userId, id })
  if (!passkey) {
    await unlinkLeftovers(services, { id, ...input })
    return null
  }
  const { provider } = passkey.info
  const { providerAccountId } = passkey.record
  const account = await unlinkAccount(services, { ...input, provider, providerAccountId })
  return account && passkey.info
}

/** Unlinks the account of a passkey whose deletion was interrupted. */
async function unlinkLeftovers(
  services: StoreServices,
  { id, ...input }: DeletedPasskeyInput,
): Promise<void> {
  const providerAccountId = base64UrlToBase64(String(id))
  for (const { id: provider } of listProviders(services))
    await unlinkAccount(services, { ...input, provider, providerAccountId })
}

async function getRelatedOrigins(services: CoreServices): Promise<RelatedOrigins> {
  const origins = listProviders(services).flatMap(({ relatedOrigins }) => relatedOrigins)
  return { origins: [...new Set(origins)] }
}
