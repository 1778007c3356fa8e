/** Adding an account to a user. */
import type { AdapterAccount, AdapterUser } from "../adapters.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import type { Store } from "../config/store.ts"
import type { Identity } from "../proof.ts"
import type { Account } from "../types.ts"

/** Links the account of an identity to a user. */
export async function linked(
  user: AdapterUser,
  identity: Identity,
  store: Store,
  config: ResolvedConfig,
): Promise<AdapterUser> {
  const { provider, providerAccountId } = identity.account
  try {
    await store.linkAccount(accountOf(identity, user))
  } catch (error) {
    if (identity.passkey) throw error
    // Another request of the same person may have been faster.
    const owner = await store.getUserByAccount({ provider, providerAccountId })
    if (owner?.id === user.id) return owner
    throw error
  }
  await keepPasskeyOrUnlink(user, identity, store, config)
  await announceLink(user, identity, config)
  return user
}

/** An account whose passkey is not stored lets nobody in: there are both, or neither. */
async function keepPasskeyOrUnlink(
  user: AdapterUser,
  identity: Identity,
  store: Store,
  config: ResolvedConfig,
): Promise<void> {
  const { provider, providerAccountId } = identity.account
  try {
    await keepPasskey(user, identity, store)
  } catch (error) {
    if (config.can.unlinkAccount) {
      await store
        .unlinkAccount({ provider, providerAccountId })
        .catch((fault) => config.log.error(fault))
    }
    throw error
  }
}

/** Stores the passkey that was made, if one was. */
export async function keepPasskey(
  user: AdapterUser,
  { passkey }: Identity,
  store: Store,
): Promise<void> {
  if (passkey) await store.createAuthenticator({ ...passkey, userId: user.id })
}

/**
 * Stores the tokens that a provider gave at a later sign-in, where the adapter can. What it did not give this time stays:
 * some send a refresh token at the first sign-in only.
 */
export async function keepTokens(
  { account: { provider, providerAccountId, type }, stored }: Identity,
  store: Store,
  { can }: Pick<ResolvedConfig, "can">,
): Promise<void> {
  if (!can.updateAccount || (type !== "oauth" && type !== "oidc")) return
  const { userId: _, ...tokens } = stored // whose account it is, the provider does not decide
  const given = Object.entries(tokens).filter(([, value]) => value !== undefined && value !== null)
  await store.updateAccount({ ...Object.fromEntries(given), provider, providerAccountId })
}

/** What is stored of an account. */
export function accountOf(identity: Identity, user: AdapterUser): AdapterAccount {
  // `stored` holds provider, providerAccountId and type: see `identityOf` of the flows.
  return { ...identity.stored, userId: user.id } as AdapterAccount
}

/** Tells the application. */
export async function announceLink(
  user: AdapterUser,
  identity: Identity,
  config: ResolvedConfig,
): Promise<void> {
  const account = identity.stored as Account // holds provider, providerAccountId and type
  await config.emit("linkAccount", { user, account, profile: identity.user })
}
