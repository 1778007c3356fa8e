/** Adding an account to a user. */
import type { AdapterAccount, AdapterUser } from "../adapters.ts"
import type { AdapterStore } from "../config/adapter-store.ts"
import type { CoreServices } from "../config/core-services.ts"
import type { ProvenIdentity } from "../proven-identity.ts"
import type { Account } from "../types.ts"

/** Links the account of an identity to a user. */
export async function linkAccount(
  user: AdapterUser,
  identity: ProvenIdentity,
  store: AdapterStore,
  services: CoreServices,
): Promise<AdapterUser> {
  const { provider, providerAccountId } = identity.account
  try {
    await store.linkAccount(toAdapterAccount(identity, user))
  } catch (error) {
    if (identity.newPasskey) throw error
    // Another request of the same person may have been faster.
    const owner = await store.getUserByAccount({ provider, providerAccountId })
    if (owner?.id === user.id) return owner
    throw error
  }
  await storePasskeyOrUnlink(user, identity, store, services)
  await emitLinkAccount(user, identity, services)
  return user
}

/** An account whose passkey is not stored lets nobody in: there are both, or neither. */
async function storePasskeyOrUnlink(
  user: AdapterUser,
  identity: ProvenIdentity,
  store: AdapterStore,
  services: CoreServices,
): Promise<void> {
  const { provider, providerAccountId } = identity.account
  try {
    await storePasskey(user, identity, store)
  } catch (error) {
    if (services.config.adapterMethods.has("unlinkAccount")) {
      await store
        .unlinkAccount({ provider, providerAccountId })
        .catch((fault) => services.logger.error(fault))
    }
    throw error
  }
}

/** Stores the passkey that was made, if one was. */
export async function storePasskey(
  user: AdapterUser,
  { newPasskey }: ProvenIdentity,
  store: AdapterStore,
): Promise<void> {
  if (newPasskey) await store.createAuthenticator({ ...newPasskey, userId: user.id })
}

/**
 * Stores the tokens that a provider gave at a later sign-in, where the adapter can. What it did not give this time stays:
 * some send a refresh token at the first sign-in only.
 */
export async function updateStoredTokens(
  { account: { provider, providerAccountId, type }, storedAccount }: ProvenIdentity,
  store: AdapterStore,
  { config }: CoreServices,
): Promise<void> {
  if (!config.adapterMethods.has("updateAccount") || (type !== "oauth" && type !== "oidc")) return
  const { userId: _, ...tokens } = storedAccount // whose account it is, the provider does not decide
  const definedTokens = Object.entries(tokens).filter(
    ([, value]) => value !== undefined && value !== null,
  )
  await store.updateAccount({ ...Object.fromEntries(definedTokens), provider, providerAccountId })
}

/** What is stored of an account. */
export function toAdapterAccount(identity: ProvenIdentity, user: AdapterUser): AdapterAccount {
  // `stored` holds provider, providerAccountId and type: see `identityOf` of the flows.
  return { ...identity.storedAccount, userId: user.id } as AdapterAccount
}

/** Tells the application. */
export async function emitLinkAccount(
  user: AdapterUser,
  identity: ProvenIdentity,
  services: CoreServices,
): Promise<void> {
  const account = identity.storedAccount as Account // holds provider, providerAccountId and type
  await services.emitEvent("linkAccount", { user, account, profile: identity.user })
}
