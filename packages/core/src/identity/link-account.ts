/** Adds an account to a user. */
import type { AdapterAccount, AdapterUser } from "../adapters.ts"
import type { AdapterStore } from "../config/adapter-store.ts"
import type { CoreServices } from "../config/core-services.ts"
import type { ProvenIdentity } from "../proven-identity.ts"
import type { Account } from "../types.ts"

/** Services of an application with a database. */
export type StoreServices = CoreServices & { readonly store: AdapterStore }

/** Links the account of an identity to a user. */
export async function linkAccount(
  user: AdapterUser,
  identity: ProvenIdentity,
  services: StoreServices,
): Promise<AdapterUser> {
  const { store, config, logger } = services
  const { provider, providerAccountId } = identity.account
  try {
    await store.linkAccount(toAdapterAccount(identity, user))
  } catch (error) {
    if (identity.newPasskey) throw error
    // Another request of the same user may have linked it already.
    const owner = await store.getUserByAccount({ provider, providerAccountId })
    if (owner?.id === user.id) return owner
    throw error
  }
  try {
    await storePasskey(user, identity, store)
  } catch (error) {
    // Nobody can sign in with an account whose passkey is not stored.
    if (config.adapterMethods.has("unlinkAccount")) {
      const unlinked = store.unlinkAccount({ provider, providerAccountId })
      await unlinked.catch((unlinkError) => logger.error(unlinkError))
    }
    throw error
  }
  await emitLinkAccount(user, identity, services)
  return user
}

/** Stores the new passkey, if there is one. */
export async function storePasskey(
  user: AdapterUser,
  { newPasskey }: ProvenIdentity,
  store: AdapterStore,
): Promise<void> {
  if (newPasskey) await store.createAuthenticator({ ...newPasskey, userId: user.id })
}

/**
 * Stores the tokens of a later sign-in, if the adapter can. Tokens that the provider did not send again are kept: some
 * send a refresh token only at the first sign-in.
 */
export async function updateStoredTokens(
  { account: { provider, providerAccountId, type }, storedAccount }: ProvenIdentity,
  { store, config }: StoreServices,
): Promise<void> {
  if (!config.adapterMethods.has("updateAccount") || (type !== "oauth" && type !== "oidc")) return
  const { userId: _, ...tokens } = storedAccount // a provider does not decide whose account it is
  const sent = Object.entries(tokens).filter(([, value]) => value !== undefined && value !== null)
  await store.updateAccount({ ...Object.fromEntries(sent), provider, providerAccountId })
}

/** Returns the account as it is stored. */
export function toAdapterAccount(identity: ProvenIdentity, user: AdapterUser): AdapterAccount {
  // Every flow puts provider, providerAccountId and type into `storedAccount`.
  return { ...identity.storedAccount, userId: user.id } as AdapterAccount
}

export async function emitLinkAccount(
  user: AdapterUser,
  identity: ProvenIdentity,
  { emitEvent }: CoreServices,
): Promise<void> {
  const account = identity.storedAccount as Account // has provider, providerAccountId and type
  await emitEvent("linkAccount", { user, account, profile: identity.user })
}
