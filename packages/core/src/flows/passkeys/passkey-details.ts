/**
 * Stores the names of passkeys, and when they were created and used: in rows of the table of second factors, because the
 * records of passkeys have the format of Auth.js. Adapters without that table keep none of it.
 */
import type { AdapterFactor } from "../../adapters.ts"
import { factorMethods, findMissingMethods } from "../../config/adapter-methods.ts"
import type { CoreServices, StoreServices } from "../../config/core-services.ts"
import { requireDatabase } from "../../config/stored-accounts.ts"
import { sha256Base64Url } from "../../crypto/digest.ts"
import { AuthError } from "../../errors.ts"
import { loadOnFirstCall } from "../../load-on-first-call.ts"
import { omitUndefined } from "../../objects.ts"
import type { ProvenIdentity } from "../../proven-identity.ts"
import type { ResolvedProvider } from "../../providers/resolved-provider.ts"
import type { User } from "../../types.ts"
import type { MailContext } from "../email/security-mail.ts"
import {
  openFactorData,
  passkeyDetailsMethod,
  sealFactorData,
} from "../second-factor/stored-factors.ts"

/** Times are in milliseconds since 1970. */
export interface PasskeyDetails {
  /** The name that the user has chosen. */
  readonly name?: string
  /** Names the model of the authenticator. */
  readonly aaguid?: string
  readonly createdAt?: number
  readonly lastUsedAt?: number
  readonly isBackedUp?: boolean
}

const method = passkeyDetailsMethod

const hasDetails = ({ config }: CoreServices): boolean =>
  findMissingMethods(config.adapter, factorMethods).length === 0

/** Of the user, too: another user may register a passkey with the same id later. */
const getRowId = async (userId: string, credentialID: string): Promise<string> =>
  `passkey-${await sha256Base64Url(`${userId} ${credentialID}`)}`

/** Returns the rows of a user by their ids. */
async function listRows(
  { store }: StoreServices,
  userId: string,
): Promise<ReadonlyMap<string, AdapterFactor>> {
  const rows = (await store.listFactors(userId)).filter(
    // The database may compare ids loosely.
    (row) => row.method === method && String(row.userId) === userId,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the details; none if the row was encrypted under a secret that is gone, because they are not essential. */
async function openRow(
  services: StoreServices,
  row: AdapterFactor | undefined,
): Promise<PasskeyDetails> {
  if (!row) return {}
  try {
    return await openFactorData(services, row) // sealed below
  } catch (error) {
    if (error instanceof AuthError) return {}
    throw error
  }
}

/** Returns a function that returns the details of a passkey of a user. */
export async function readPasskeyDetails(
  services: StoreServices,
  userId: string,
): Promise<(credentialID: string) => Promise<PasskeyDetails>> {
  const rows = hasDetails(services) ? await listRows(services, userId) : new Map()
  return async (credentialID) => openRow(services, rows.get(await getRowId(userId, credentialID)))
}

/** How often a change is tried again, because another request has changed the details. */
const maxTries = 5

/** Changes the details of a passkey; those that are not given stay. @throws AdapterError */
export async function changePasskeyDetails(
  services: StoreServices,
  userId: string,
  credentialID: string,
  changes: PasskeyDetails,
): Promise<void> {
  const { store } = services
  const key = { id: await getRowId(userId, credentialID), userId, method }
  for (let tries = 1; ; tries += 1) {
    const row = (await listRows(services, userId)).get(key.id)
    const data = { ...(await openRow(services, row)), ...changes }
    const sealed = await sealFactorData(services, key, data)
    if (row) {
      const { id, version } = row
      if (await store.updateFactor({ id, version, data: sealed })) return
    } else {
      const created = { ...key, createdAt: new Date(), version: 0, data: sealed }
      try {
        await store.createFactor(created)
        // Another request may have deleted the passkey meanwhile.
        if (!(await store.getAuthenticator(credentialID))) await store.deleteFactor(key.id)
        return
      } catch (error) {
        if (tries === maxTries) throw error
      }
    }
    if (tries === maxTries) return
  }
}

const mail = loadOnFirstCall(() => import("../email/security-mail.ts"))

/**
 * Records that a passkey was created or used, and tells the user of a new one. An error is logged: the sign-in does not
 * depend on it.
 */
export async function recordPasskey(
  services: MailContext,
  provider: ResolvedProvider,
  { id, email }: User,
  { passkey, newPasskey }: Pick<ProvenIdentity, "passkey" | "newPasskey">,
): Promise<void> {
  if (!passkey || !id || provider.type !== "webauthn" || provider.isExperimental) return
  const { credentialID, isBackedUp, aaguid } = passkey
  const userId = String(id)
  const withStore = requireDatabase(services)
  if (hasDetails(services)) {
    const now = Date.now()
    const times = newPasskey ? { createdAt: now } : { lastUsedAt: now }
    await changePasskeyDetails(
      withStore,
      userId,
      credentialID,
      omitUndefined({ ...times, isBackedUp, aaguid }),
    ).catch((error: unknown) => services.logger.error(error))
  }
  if (!newPasskey) return
  await mail.sendNotice(
    withStore,
    omitUndefined({ id: userId, email: email ?? undefined }),
    "passkey-added",
  )
}

/** Deletes the details of a passkey. An error is logged: nothing depends on them. */
export async function deletePasskeyDetails(
  services: StoreServices,
  userId: string,
  credentialID: string,
): Promise<void> {
  if (!hasDetails(services)) return
  await services.store
    .deleteFactor(await getRowId(userId, credentialID))
    .catch((error: unknown) => services.logger.error(error))
}
