/** Creates a user at the first sign-in. */
import type { AdapterUser } from "../adapters.ts"
import type { ProvenIdentity } from "../proven-identity.ts"
import {
  emitLinkAccount,
  type StoreServices,
  storePasskey,
  toAdapterAccount,
} from "./link-account.ts"

/** A stored user, and whether this sign-in created it. */
export interface ResolvedUser {
  readonly user: AdapterUser
  readonly isNewUser: boolean
}

/** Stores the user with the account of the identity. */
export async function createUser(
  identity: ProvenIdentity,
  services: StoreServices,
): Promise<ResolvedUser> {
  const { store, emitEvent } = services
  const { type, provider, providerAccountId } = identity.account
  const isEmail = type === "email"
  try {
    const newUser = buildNewUser(identity, services)
    const user = isEmail
      ? await store.createUser(newUser)
      : await storeUserWithAccount(newUser, identity, services)
    await emitEvent("createUser", { user })
    if (!isEmail) await emitLinkAccount(user, identity, services)
    return { user, isNewUser: true }
  } catch (error) {
    if (identity.newPasskey) throw error
    // Another first sign-in of the same user may have created it at the same time.
    const existing = isEmail
      ? await store.getUserByEmail(providerAccountId)
      : await store.getUserByAccount({ provider, providerAccountId })
    if (!existing) throw error
    const user = isEmail ? await markEmailVerified(existing, services) : existing
    return { user, isNewUser: false }
  }
}

/** Records that the address is proven. The date of the first proof is kept. */
export async function markEmailVerified(
  user: AdapterUser,
  { store, emitEvent }: StoreServices,
): Promise<AdapterUser> {
  if (user.emailVerified) return user
  const updated = await store.updateUser({ id: user.id, emailVerified: new Date() })
  await emitEvent("updateUser", { user: updated })
  return updated
}

/** Leaves out an unverified address if addresses identify users. */
function buildNewUser(
  { user: { email, ...user }, account, emailVerification }: ProvenIdentity,
  { config }: StoreServices,
): AdapterUser {
  const isUsable = email && !(config.emailIdentifiesUser && emailVerification === "unverified")
  const emailVerified = account.type === "email" ? new Date() : null
  // Without an address the field is absent: the adapter decides how to store that.
  return { ...user, ...(isUsable ? { email } : {}), emailVerified } as AdapterUser
}

/** Stores both or neither: a user without an account could not sign in again. */
async function storeUserWithAccount(
  newUser: AdapterUser,
  identity: ProvenIdentity,
  { store, config, logger }: StoreServices,
): Promise<AdapterUser> {
  const isAtomic = config.adapterMethods.has("createUserWithAccount")
  const user = await (isAtomic
    ? store.createUserWithAccount(newUser, toAdapterAccount(identity, newUser))
    : store.createUser(newUser))
  try {
    if (!isAtomic) await store.linkAccount(toAdapterAccount(identity, user))
    await storePasskey(user, identity, store)
    return user
  } catch (error) {
    if (config.adapterMethods.has("deleteUser"))
      await store.deleteUser(user.id).catch((deleteError) => logger.error(deleteError))
    throw error
  }
}
