/** Stores users and their accounts. */
import type { AdapterAccount, AdapterUser } from "../adapters.ts"
import type { StoreServices } from "../config/core-services.ts"
import type { ActionRequest } from "../http/action-request.ts"
import type { ProvenIdentity, SignInResult } from "../proven-identity.ts"
import { revokeUserSessions } from "../sessions/load-records.ts"

/** A proven identity, and the services of an application with a database. */
export interface IdentityContext extends StoreServices {
  readonly request: ActionRequest
  readonly identity: ProvenIdentity
}

/** A stored user, and whether this sign-in created it. */
export type ResolvedUser = Pick<SignInResult, "user" | "isNewUser">

/** Returns the user who has the account of the identity. */
export async function findAccountOwner(context: IdentityContext): Promise<AdapterUser | null> {
  const { provider, providerAccountId, type } = context.identity.account
  if (type === "email") return null
  return context.store.getUserByAccount({ provider, providerAccountId })
}

/** Creates the user of the identity at the first sign-in, with the account. */
export async function createUser(context: IdentityContext): Promise<ResolvedUser> {
  const { identity, store, emitEvent } = context
  const { type, providerAccountId } = identity.account
  const isEmail = type === "email"
  try {
    const user = await storeUser(context)
    await emitEvent("createUser", { user }, context.request)
    if (!isEmail) await emitLinkAccount(user, context)
    return { user, isNewUser: true }
  } catch (error) {
    if (identity.newPasskey) throw error
    // Another first sign-in of the same user may have created it at the same time.
    const existing = await (isEmail
      ? store.getUserByEmail(providerAccountId)
      : findAccountOwner(context))
    if (!existing) throw error
    return { user: await markEmailVerified(existing, context), isNewUser: false }
  }
}

/** Leaves out an unverified address if addresses identify users, or if it was only typed. */
function buildNewUser({ identity, config }: IdentityContext): AdapterUser {
  const { email, ...user } = identity.user
  const { type } = identity.account
  const needsVerification = config.emailIdentifiesUser || type === "webauthn"
  const isUsable = email && (identity.emailVerification === "verified" || !needsVerification)
  const emailVerified = type === "email" ? new Date() : null
  // Without an address the field is absent: the adapter decides how to store that.
  return { ...user, ...(isUsable ? { email } : {}), emailVerified } as AdapterUser
}

/** Stores both the user and the account, or neither: a user without an account could not sign in again. */
async function storeUser(context: IdentityContext): Promise<AdapterUser> {
  const { identity, store, config, logger } = context
  const newUser = buildNewUser(context)
  if (identity.account.type === "email") return store.createUser(newUser)
  const isAtomic = config.adapter?.createUserWithAccount !== undefined
  let user: AdapterUser | null = null
  try {
    user = await (isAtomic
      ? store.createUserWithAccount(newUser, toAdapterAccount(newUser, identity))
      : store.createUser(newUser))
    if (!isAtomic) await store.linkAccount(toAdapterAccount(user, identity))
    await storePasskey(user, context)
    return user
  } catch (error) {
    // If both were stored despite the error, the user can still sign in: the caller looks for the account.
    if (isAtomic && !identity.newPasskey) throw error
    // The database may have stored the user although the call failed. A known passkey has no new id, but its owner's.
    const hasNewId = identity.newPasskey || identity.account.type !== "webauthn"
    const stored = (hasNewId && (await store.getUser(newUser.id).catch(() => null))) || user
    if (stored && config.adapter?.deleteUser)
      await store.deleteUser(stored.id).catch((deleteError) => logger.error(deleteError))
    throw error
  }
}

/** Links the account of the identity to a user. */
export async function linkAccount(user: AdapterUser, context: IdentityContext): Promise<void> {
  const { identity, store, config, logger } = context
  try {
    await store.linkAccount(toAdapterAccount(user, identity))
  } catch (error) {
    // Another request of the same user may have linked it already.
    const owner = identity.newPasskey ? null : await findAccountOwner(context)
    if (owner?.id === user.id) return
    throw error
  }
  try {
    await storePasskey(user, context)
  } catch (error) {
    // Nobody can sign in with an account whose passkey is not stored.
    if (config.adapter?.unlinkAccount) {
      const { provider, providerAccountId } = identity.account
      const unlinked = store.unlinkAccount({ provider, providerAccountId })
      await unlinked.catch((unlinkError) => logger.error(unlinkError))
    }
    throw error
  }
  await emitLinkAccount(user, context)
}

/** Returns the account as it is stored. */
function toAdapterAccount(user: AdapterUser, identity: ProvenIdentity): AdapterAccount {
  return { ...identity.storedAccount, userId: user.id } as AdapterAccount // never of credentials
}

async function storePasskey({ id }: AdapterUser, context: IdentityContext): Promise<void> {
  const { newPasskey } = context.identity
  if (!newPasskey) return
  try {
    await context.store.createAuthenticator({ ...newPasskey, userId: id })
  } catch (error) {
    // The database may have stored it although the call failed, and the device does not create it again.
    const stored = await context.store.getAuthenticator(newPasskey.credentialID)
    if (String(stored?.userId) !== String(id)) throw error
  }
}

async function emitLinkAccount(user: AdapterUser, context: IdentityContext): Promise<void> {
  const { identity, emitEvent, request } = context
  const { storedAccount: account, user: profile } = identity
  await emitEvent("linkAccount", { user, account, profile }, request)
}

/** Records that an e-mail link proved the address. The date of the first proof is kept. */
export async function markEmailVerified(
  user: AdapterUser,
  context: IdentityContext,
): Promise<AdapterUser> {
  const { identity, store, emitEvent } = context
  if (user.emailVerified || identity.account.type !== "email") return user
  await endUnprovenSessions(user, context)
  const updated = await store.updateUser({ id: user.id, emailVerified: new Date() })
  await emitEvent("updateUser", { user: updated }, context.request)
  return updated
}

/**
 * Ends the sessions of a user before the owner of the address enters for the first time: they may belong to somebody
 * who signed up with it. Without `session.records`, sealed cookies, and sessions of an adapter without `deleteSessions`,
 * cannot be ended.
 */
export async function endUnprovenSessions(
  { id, emailVerified }: AdapterUser,
  context: IdentityContext,
): Promise<void> {
  const { store, config } = context
  if (emailVerified) return
  if (config.session.records) await revokeUserSessions(context, String(id))
  else if (config.session.strategy === "database" && config.adapter?.deleteSessions)
    await store.deleteSessions(id)
}

/**
 * Stores the tokens of a later sign-in, if the adapter can. Tokens that the provider did not send again are kept: some
 * send a refresh token only at the first sign-in.
 */
export async function updateStoredTokens(context: IdentityContext): Promise<void> {
  const { identity, store, config } = context
  const { provider, providerAccountId, type } = identity.account
  if (!config.adapter?.updateAccount || (type !== "oauth" && type !== "oidc")) return
  const { userId: _, ...tokens } = identity.storedAccount // a provider does not decide whose account it is
  const sent = Object.entries(tokens).filter(([, value]) => value !== undefined && value !== null)
  await store.updateAccount({ ...Object.fromEntries(sent), provider, providerAccountId })
}
