/** Finds, links or creates the user to whom a proven identity belongs. */
import type { AdapterUser } from "../adapters.ts"
import type { AdapterStore } from "../config/adapter-store.ts"
import type { CoreServices } from "../config/core-services.ts"
import { AccountNotLinked, CallbackRouteError, OAuthAccountNotLinked } from "../errors.ts"
import type { ProvenIdentity, SignInResult } from "../proven-identity.ts"
import type { User } from "../types.ts"
import { createUser, markEmailVerified, type ResolvedUser } from "./create-user.ts"
import { linkAccount, type StoreServices, updateStoredTokens } from "./link-account.ts"
import { decideLinking, type LinkingDecision } from "./linking-decision.ts"
import { createStableId } from "./stable-id.ts"

/** The user to whom an identity belongs, before anything is stored. */
export interface FoundUser {
  /** Undefined when nothing is stored. */
  readonly decision: LinkingDecision | undefined
  /** The stored user, or else the user as the provider describes them. */
  readonly user: User
}

/** Finds the user to whom an identity belongs. Changes nothing. */
export async function findUser(
  identity: ProvenIdentity,
  linkTarget: AdapterUser | null,
  allowEmailLinking: boolean,
  { store }: CoreServices,
): Promise<FoundUser> {
  const { account, emailVerification, user } = identity
  const { type, provider, providerAccountId } = account
  if (type === "credentials") return { decision: undefined, user }
  if (!store) {
    const id = await createStableId(provider, providerAccountId)
    const isOAuth = type === "oauth" || type === "oidc"
    return { decision: undefined, user: isOAuth ? { ...user, id } : user }
  }
  const knownOwner = await findAccountOwner(identity, store)
  const emailOwner =
    knownOwner || linkTarget || !user.email ? null : await store.getUserByEmail(user.email)
  // If the address has an owner, another request of this user may have stored the account after the first query.
  const accountOwner = emailOwner ? await findAccountOwner(identity, store) : knownOwner
  const facts = { accountOwner, emailOwner, linkTarget, allowEmailLinking, emailVerification }
  const decision = decideLinking({ type, ...facts })
  return { decision, user: "user" in decision ? decision.user : user }
}

async function findAccountOwner(
  { account: { provider, providerAccountId, type } }: ProvenIdentity,
  store: AdapterStore,
): Promise<AdapterUser | null> {
  return type === "email" ? null : store.getUserByAccount({ provider, providerAccountId })
}

/**
 * Finds, links or creates the user.
 *
 * @throws OAuthAccountNotLinked, AccountNotLinked when the account or its address belongs to another user
 */
export async function signInUser(
  identity: ProvenIdentity,
  { decision, user }: FoundUser,
  services: CoreServices,
): Promise<SignInResult> {
  const { account, profile } = identity
  const details = { account, ...(profile ? { profile } : {}) }
  const { store } = services
  if (account.type === "credentials") {
    await assertStoredUser(identity, services)
    return { ...details, user: identity.user, isNewUser: false }
  }
  if (!store || !decision) return { ...details, user, isNewUser: undefined }
  return { ...details, ...(await applyDecision(decision, identity, { ...services, store })) }
}

/** A database session needs a stored user. */
async function assertStoredUser(
  { user, account }: ProvenIdentity,
  { config, store }: CoreServices,
): Promise<void> {
  if (config.session.strategy !== "database" || !store || (await store.getUser(user.id))) return
  throw new CallbackRouteError({
    provider: account.provider,
    expected: "`authorize` to return the `id` of a stored user",
    hint: 'Create the user first, or choose `session: { strategy: "jwt" }`.',
  })
}

async function applyDecision(
  decision: LinkingDecision,
  identity: ProvenIdentity,
  services: StoreServices,
): Promise<ResolvedUser> {
  switch (decision.kind) {
    case "signIn": {
      // The id of a new passkey is not secret, so registering it again does not prove to be its owner.
      if (identity.newPasskey) throw createNotLinkedError(identity, "AccountNotLinked")
      await updateStoredTokens(identity, services)
      const isEmail = identity.account.type === "email"
      const user = isEmail ? await markEmailVerified(decision.user, services) : decision.user
      return { user, isNewUser: false }
    }
    case "link":
    case "linkByEmail":
      return { user: await linkAccount(decision.user, identity, services), isNewUser: false }
    case "create":
      return createUser(identity, services)
    case "refuse":
      throw createNotLinkedError(identity, decision.error)
  }
}

function createNotLinkedError(
  { account: { provider } }: ProvenIdentity,
  error: "AccountNotLinked" | "OAuthAccountNotLinked",
): Error {
  const hint = "Sign in as you did before, then add this account while you are signed in."
  const NotLinked = error === "AccountNotLinked" ? AccountNotLinked : OAuthAccountNotLinked
  return new NotLinked({ provider, hint })
}
