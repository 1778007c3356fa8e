/** Finds, links or creates the user that a proven identity belongs to. */
import type { AdapterAccount, AdapterUser } from "../adapters.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import type { Store } from "../config/store.ts"
import { AccountNotLinked, CallbackRouteError, OAuthAccountNotLinked } from "../errors.ts"
import type { Admitted, Identity } from "../proof.ts"
import type { Account, User } from "../types.ts"
import { type Decision, decide, type LinkingFacts } from "./decide.ts"
import { stableId } from "./stable-id.ts"

/** The user whose account it already is: asked before the `signIn` callback, which gets to see them. */
export async function ownerOf(
  identity: Identity,
  config: ResolvedConfig,
): Promise<AdapterUser | null> {
  const { provider, providerAccountId, type } = identity.account
  if (!config.store || (type !== "oauth" && type !== "oidc")) return null
  return config.store.getUserByAccount({ provider, providerAccountId })
}

/** The person as the `signIn` callback and the session see them before anything is stored. */
export async function provisionalUser(identity: Identity, config: ResolvedConfig): Promise<User> {
  const { provider, providerAccountId, type } = identity.account
  if (config.store || (type !== "oauth" && type !== "oidc")) return identity.user
  return { ...identity.user, id: await stableId(provider, providerAccountId) }
}

/**
 * Resolves an identity to a user.
 *
 * @throws OAuthAccountNotLinked, AccountNotLinked when the account or its address is another user's
 */
export async function resolveIdentity(
  identity: Identity,
  owner: AdapterUser | null,
  linkFor: AdapterUser | null,
  joinsByEmail: boolean,
  config: ResolvedConfig,
): Promise<Admitted> {
  const { account, profile } = identity
  const shown = { account, ...(profile ? { profile } : {}) }
  if (account.type === "credentials") {
    const user = await storedCredentialsUser(identity, config)
    return { ...shown, user, isNewUser: false }
  }
  const { store } = config
  if (!store) {
    return { ...shown, user: await provisionalUser(identity, config), isNewUser: undefined }
  }
  const facts: LinkingFacts = {
    type: account.type,
    owner,
    sameEmail: identity.user.email ? await store.getUserByEmail(identity.user.email) : null,
    linkFor,
    joinsByEmail,
    emailStanding: identity.emailStanding,
  }
  const decision = decide(facts)
  const user = await perform(decision, identity, store, config)
  return { ...shown, ...user }
}

/** With sessions in a database, the person has to be in it. */
async function storedCredentialsUser(identity: Identity, config: ResolvedConfig): Promise<User> {
  if (config.session.strategy !== "database" || !config.store) return identity.user
  const stored = await config.store.getUser(identity.user.id)
  if (stored) return identity.user
  throw new CallbackRouteError({
    provider: identity.account.provider,
    expected: "`authorize` to return the `id` of a stored user",
    hint: 'Create the user first, or choose `session: { strategy: "jwt" }`.',
  })
}

interface Performed {
  readonly user: AdapterUser
  readonly isNewUser: boolean
}

async function perform(
  decision: Decision,
  identity: Identity,
  store: Store,
  config: ResolvedConfig,
): Promise<Performed> {
  switch (decision.kind) {
    case "known": {
      const { user } = decision
      const isEmail = identity.account.type === "email"
      return { user: isEmail ? await verified(user, store, config) : user, isNewUser: false }
    }
    case "link":
    case "join":
      return { user: await linked(decision.user, identity, store, config), isNewUser: false }
    case "create":
      return created(identity, store, config)
    case "refuse": {
      const facts = {
        provider: identity.account.provider,
        hint: "Sign in the way you did before, then add this account while signed in.",
      }
      throw decision.error === "AccountNotLinked"
        ? new AccountNotLinked(facts)
        : new OAuthAccountNotLinked(facts)
    }
  }
}

/** The date of the first proof stays. */
async function verified(
  user: AdapterUser,
  store: Store,
  config: ResolvedConfig,
): Promise<AdapterUser> {
  if (user.emailVerified) return user
  const updated = await store.updateUser({ id: user.id, emailVerified: new Date() })
  await config.emit("updateUser", { user: updated })
  return updated
}

async function linked(
  user: AdapterUser,
  identity: Identity,
  store: Store,
  config: ResolvedConfig,
): Promise<AdapterUser> {
  const { provider, providerAccountId } = identity.account
  try {
    await store.linkAccount(accountOf(identity, user))
  } catch (error) {
    // Another request of the same person may have been faster.
    const owner = await store.getUserByAccount({ provider, providerAccountId })
    if (owner?.id === user.id) return owner
    throw error
  }
  await announceLink(user, identity, config)
  return user
}

function accountOf(identity: Identity, user: AdapterUser): AdapterAccount {
  // `stored` holds provider, providerAccountId and type: see `identityOf` of the flows.
  return { ...identity.stored, userId: user.id } as AdapterAccount
}

async function announceLink(
  user: AdapterUser,
  identity: Identity,
  config: ResolvedConfig,
): Promise<void> {
  const account = identity.stored as Account // holds provider, providerAccountId and type
  await config.emit("linkAccount", { user, account, profile: identity.user })
}

async function created(
  identity: Identity,
  store: Store,
  config: ResolvedConfig,
): Promise<Performed> {
  const { type, provider, providerAccountId } = identity.account
  const isEmail = type === "email"
  try {
    const user = await store.createUser(newUser(identity, isEmail, config))
    if (!isEmail) await linkOrUndo(user, identity, store, config)
    await config.emit("createUser", { user })
    if (!isEmail) await announceLink(user, identity, config)
    return { user, isNewUser: true }
  } catch (error) {
    // Two first sign-ins at once: the other one created the user.
    const other = isEmail
      ? await store.getUserByEmail(providerAccountId)
      : await store.getUserByAccount({ provider, providerAccountId })
    if (other) return { user: other, isNewUser: false }
    throw error
  }
}

/** An address that the provider denies is not kept where an address lets somebody in. */
function newUser(identity: Identity, isEmail: boolean, config: ResolvedConfig): AdapterUser {
  const denied = config.addressesAreIdentities && identity.emailStanding === "denied"
  const user = {
    ...identity.user,
    email: denied ? null : (identity.user.email ?? null),
    emailVerified: isEmail ? new Date() : null,
  }
  // Databases keep a person without an address as null: an empty text would be everybody's address.
  return user as AdapterUser
}

/** A user without an account could never sign in again: it does not stay. */
async function linkOrUndo(
  user: AdapterUser,
  identity: Identity,
  store: Store,
  config: ResolvedConfig,
): Promise<void> {
  try {
    await store.linkAccount(accountOf(identity, user))
  } catch (error) {
    if (config.canDeleteUser) {
      await Promise.resolve(store.deleteUser(user.id)).catch((fault) => config.log.error(fault))
    }
    throw error
  }
}
