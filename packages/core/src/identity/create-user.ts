/** A person who was never here before. */
import type { AdapterUser } from "../adapters.ts"
import type { AdapterStore } from "../config/adapter-store.ts"
import type { CoreServices } from "../config/core-services.ts"
import type { ProvenIdentity } from "../proven-identity.ts"
import { emitLinkAccount, storePasskey, toAdapterAccount } from "./link-account.ts"

/** A user, and whether they are new. */
export interface ResolvedUser {
  readonly user: AdapterUser
  readonly isNewUser: boolean
}

/** Stores the user, with the account that they came with. */
export async function createUser(
  identity: ProvenIdentity,
  store: AdapterStore,
  services: CoreServices,
): Promise<ResolvedUser> {
  const { type, provider, providerAccountId } = identity.account
  const isEmail = type === "email"
  try {
    const userToCreate = buildNewUser(identity, isEmail, services)
    const user = isEmail
      ? await store.createUser(userToCreate)
      : await storeUserWithAccount(userToCreate, identity, store, services)
    await services.emitEvent("createUser", { user })
    if (!isEmail) await emitLinkAccount(user, identity, services)
    return { user, isNewUser: true }
  } catch (error) {
    // A passkey is one person's: nobody else can have been faster with it.
    if (identity.newPasskey) throw error
    // Two first sign-ins at once: the other one created the user.
    const existingUser = isEmail
      ? await store.getUserByEmail(providerAccountId)
      : await store.getUserByAccount({ provider, providerAccountId })
    if (!existingUser) throw error
    return {
      user: isEmail ? await markEmailVerified(existingUser, store, services) : existingUser,
      isNewUser: false,
    }
  }
}

/** The date of the first proof stays. */
export async function markEmailVerified(
  user: AdapterUser,
  store: AdapterStore,
  services: CoreServices,
): Promise<AdapterUser> {
  if (user.emailVerified) return user
  const updated = await store.updateUser({ id: user.id, emailVerified: new Date() })
  await services.emitEvent("updateUser", { user: updated })
  return updated
}

/** An address that the provider denies is not kept where an address lets somebody in. */
function buildNewUser(
  identity: ProvenIdentity,
  isEmail: boolean,
  services: CoreServices,
): AdapterUser {
  const { email, ...userToCreate } = identity.user
  const isUnverified =
    services.config.emailIdentifiesUser && identity.emailVerification === "unverified"
  const emailField = email && !isUnverified ? { email } : {}
  const user = { ...userToCreate, ...emailField, emailVerified: isEmail ? new Date() : null }
  // Without an address, the field is left out: what stands for "none" is the database's own affair.
  return user as AdapterUser
}

/** A user without an account could never sign in again: there are both, or neither. */
async function storeUserWithAccount(
  userToCreate: AdapterUser,
  identity: ProvenIdentity,
  store: AdapterStore,
  services: CoreServices,
): Promise<AdapterUser> {
  const canCreateAtOnce = services.config.adapterMethods.has("createUserWithAccount")
  const user = await (canCreateAtOnce
    ? store.createUserWithAccount(userToCreate, toAdapterAccount(identity, userToCreate))
    : store.createUser(userToCreate))
  try {
    if (!canCreateAtOnce) await store.linkAccount(toAdapterAccount(identity, user))
    await storePasskey(user, identity, store)
    return user
  } catch (error) {
    if (services.config.adapterMethods.has("deleteUser"))
      await store.deleteUser(user.id).catch((e) => services.logger.error(e))
    throw error
  }
}
