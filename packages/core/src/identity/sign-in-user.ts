/** Finds, links or creates the user that a proven identity belongs to. */
import type { AdapterUser } from "../adapters.ts"
import type { AdapterStore } from "../config/adapter-store.ts"
import type { CoreServices } from "../config/core-services.ts"
import { AccountNotLinked, CallbackRouteError, OAuthAccountNotLinked } from "../errors.ts"
import type { ProvenIdentity, SignInResult } from "../proven-identity.ts"
import type { User } from "../types.ts"
import { createUser, markEmailVerified, type ResolvedUser } from "./create-user.ts"
import { linkAccount, updateStoredTokens } from "./link-account.ts"
import { decideLinking, type LinkingDecision } from "./linking-decision.ts"
import { createStableId } from "./stable-id.ts"

async function findAccountOwner(
  { account }: ProvenIdentity,
  store: AdapterStore,
): Promise<AdapterUser | null> {
  const { provider, providerAccountId, type } = account
  if (type !== "oauth" && type !== "oidc" && type !== "webauthn") return null
  return store.getUserByAccount({ provider, providerAccountId })
}

/** The person as the `signIn` callback and the session see them before anything is stored. */
async function createProvisionalUser(
  identity: ProvenIdentity,
  services: CoreServices,
): Promise<User> {
  const { provider, providerAccountId, type } = identity.account
  if (services.store || (type !== "oauth" && type !== "oidc")) return identity.user
  return { ...identity.user, id: await createStableId(provider, providerAccountId) }
}

/** Which user an identity leads to, before the application is asked whether they may come in. */
export interface FoundUser {
  /** Undefined where nothing is stored. */
  readonly decision: LinkingDecision | undefined
  /** The stored user that would be entered, else the person as the provider describes them. */
  readonly user: User
}

/** Finds out which user an identity leads to; nothing is changed yet. */
export async function findUser(
  identity: ProvenIdentity,
  linkTarget: AdapterUser | null,
  allowEmailLinking: boolean,
  services: CoreServices,
): Promise<FoundUser> {
  const { store } = services
  const { type } = identity.account
  if (type === "credentials" || !store) {
    const user = await createProvisionalUser(identity, services)
    return { decision: undefined, user }
  }
  const knownOwner = await findAccountOwner(identity, store)
  const emailOwner = knownOwner || linkTarget ? null : await findUserByEmail(identity, store)
  // Whoever has the address may be this very person, whom another request stored after the first look.
  const accountOwner = emailOwner ? await findAccountOwner(identity, store) : knownOwner
  const decision = decideLinking({
    type,
    accountOwner,
    emailOwner,
    linkTarget,
    allowEmailLinking,
    emailVerification: identity.emailVerification,
  })
  const user = "user" in decision ? decision.user : await createProvisionalUser(identity, services)
  return { decision, user }
}

/**
 * Finds, links or creates the user.
 *
 * @throws OAuthAccountNotLinked, AccountNotLinked when the account or its address is another user's
 */
export async function signInUser(
  identity: ProvenIdentity,
  foundUser: FoundUser,
  services: CoreServices,
): Promise<SignInResult> {
  const { account, profile } = identity
  const signInDetails = { account, ...(profile ? { profile } : {}) }
  if (account.type === "credentials") {
    const user = await requireStoredUser(identity, services)
    return { ...signInDetails, user, isNewUser: false }
  }
  const { store } = services
  if (!store || !foundUser.decision) {
    return { ...signInDetails, user: foundUser.user, isNewUser: undefined }
  }
  return {
    ...signInDetails,
    ...(await applyDecision(foundUser.decision, identity, store, services)),
  }
}

async function findUserByEmail(
  { user }: ProvenIdentity,
  store: AdapterStore,
): Promise<AdapterUser | null> {
  return user.email ? store.getUserByEmail(user.email) : null
}

/** With sessions in a database, the person has to be in it. */
async function requireStoredUser(identity: ProvenIdentity, services: CoreServices): Promise<User> {
  if (services.config.session.strategy !== "database" || !services.store) return identity.user
  const storedUser = await services.store.getUser(identity.user.id)
  if (storedUser) return identity.user
  throw new CallbackRouteError({
    provider: identity.account.provider,
    expected: "`authorize` to return the `id` of a stored user",
    hint: 'Create the user first, or choose `session: { strategy: "jwt" }`.',
  })
}

async function applyDecision(
  decision: LinkingDecision,
  identity: ProvenIdentity,
  store: AdapterStore,
  services: CoreServices,
): Promise<ResolvedUser> {
  switch (decision.kind) {
    case "signIn": {
      const { user } = decision
      // Whoever makes a passkey proves to have made it, and not to be whom its id belongs to.
      if (identity.newPasskey) throw createNotLinkedError(identity, "AccountNotLinked")
      await updateStoredTokens(identity, store, services)
      const isEmail = identity.account.type === "email"
      return {
        user: isEmail ? await markEmailVerified(user, store, services) : user,
        isNewUser: false,
      }
    }
    case "link":
    case "linkByEmail":
      return { user: await linkAccount(decision.user, identity, store, services), isNewUser: false }
    case "create":
      return createUser(identity, store, services)
    case "refuse":
      throw createNotLinkedError(identity, decision.error)
  }
}

function createNotLinkedError(
  { account: { provider } }: ProvenIdentity,
  error: Extract<LinkingDecision, { kind: "refuse" }>["error"],
): Error {
  const hint = "Sign in the way you did before, then add this account while signed in."
  const NotLinked = error === "AccountNotLinked" ? AccountNotLinked : OAuthAccountNotLinked
  return new NotLinked({ provider, hint })
}
