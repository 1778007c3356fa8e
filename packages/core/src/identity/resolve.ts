/** Finds, links or creates the user that a proven identity belongs to. */
import type { AdapterUser } from "../adapters.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import type { Store } from "../config/store.ts"
import { AccountNotLinked, CallbackRouteError, OAuthAccountNotLinked } from "../errors.ts"
import type { Admitted, Identity } from "../proof.ts"
import type { User } from "../types.ts"
import { created, type Entered, verified } from "./create.ts"
import { type Decision, decide } from "./decide.ts"
import { keepTokens, linked } from "./link.ts"
import { stableId } from "./stable-id.ts"

async function ownerOf({ account }: Identity, store: Store): Promise<AdapterUser | null> {
  const { provider, providerAccountId, type } = account
  if (type !== "oauth" && type !== "oidc" && type !== "webauthn") return null
  return store.getUserByAccount({ provider, providerAccountId })
}

/** The person as the `signIn` callback and the session see them before anything is stored. */
async function provisionalUser(identity: Identity, config: ResolvedConfig): Promise<User> {
  const { provider, providerAccountId, type } = identity.account
  if (config.store || (type !== "oauth" && type !== "oidc")) return identity.user
  return { ...identity.user, id: await stableId(provider, providerAccountId) }
}

/** Which user an identity leads to, before the application is asked whether they may come in. */
export interface Resolution {
  /** Undefined where nothing is stored. */
  readonly decision: Decision | undefined
  /** The stored user that would be entered, else the person as the provider describes them. */
  readonly user: User
}

/** Finds out which user an identity leads to; nothing is changed yet. */
export async function considerIdentity(
  identity: Identity,
  linkFor: AdapterUser | null,
  joinsByEmail: boolean,
  config: ResolvedConfig,
): Promise<Resolution> {
  const { store } = config
  const { type } = identity.account
  if (type === "credentials" || !store) {
    const user = await provisionalUser(identity, config)
    return { decision: undefined, user }
  }
  const known = await ownerOf(identity, store)
  const other = known || linkFor ? null : await sameEmail(identity, store)
  // Whoever has the address may be this very person, whom another request stored after the first look.
  const owner = other ? await ownerOf(identity, store) : known
  const decision = decide({
    type,
    owner,
    sameEmail: other,
    linkFor,
    joinsByEmail,
    emailStanding: identity.emailStanding,
  })
  const user = "user" in decision ? decision.user : await provisionalUser(identity, config)
  return { decision, user }
}

/**
 * Finds, links or creates the user.
 *
 * @throws OAuthAccountNotLinked, AccountNotLinked when the account or its address is another user's
 */
export async function resolveIdentity(
  identity: Identity,
  resolution: Resolution,
  config: ResolvedConfig,
): Promise<Admitted> {
  const { account, profile } = identity
  const shown = { account, ...(profile ? { profile } : {}) }
  if (account.type === "credentials") {
    const user = await storedCredentialsUser(identity, config)
    return { ...shown, user, isNewUser: false }
  }
  const { store } = config
  if (!store || !resolution.decision) {
    return { ...shown, user: resolution.user, isNewUser: undefined }
  }
  return { ...shown, ...(await perform(resolution.decision, identity, store, config)) }
}

async function sameEmail({ user }: Identity, store: Store): Promise<AdapterUser | null> {
  return user.email ? store.getUserByEmail(user.email) : null
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

async function perform(
  decision: Decision,
  identity: Identity,
  store: Store,
  config: ResolvedConfig,
): Promise<Entered> {
  switch (decision.kind) {
    case "known": {
      const { user } = decision
      // Whoever makes a passkey proves to have made it, and not to be whom its id belongs to.
      if (identity.passkey) throw notLinked(identity, "AccountNotLinked")
      await keepTokens(identity, store, config)
      const isEmail = identity.account.type === "email"
      return { user: isEmail ? await verified(user, store, config) : user, isNewUser: false }
    }
    case "link":
    case "join":
      return { user: await linked(decision.user, identity, store, config), isNewUser: false }
    case "create":
      return created(identity, store, config)
    case "refuse":
      throw notLinked(identity, decision.error)
  }
}

function notLinked(
  { account: { provider } }: Identity,
  error: Extract<Decision, { kind: "refuse" }>["error"],
): Error {
  const hint = "Sign in the way you did before, then add this account while signed in."
  const NotLinked = error === "AccountNotLinked" ? AccountNotLinked : OAuthAccountNotLinked
  return new NotLinked({ provider, hint })
}
