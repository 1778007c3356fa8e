/** Finds the user to whom a proven identity belongs, asks the application, and links or creates the user. */
import type { AdapterAccount, AdapterUser } from "../adapters.ts"
import type { StoreServices } from "../config/core-services.ts"
import { reportSecurityEvent } from "../config/report-security-event.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { sha256Hex } from "../crypto/digest.ts"
import { getErrorMessage } from "../errors/describe-value.ts"
import { AccessDenied, AuthError, CallbackRouteError } from "../errors.ts"
import type { FlowContext } from "../flows/flow.ts"
import type { ActionRequest } from "../http/action-request.ts"
import { addRequest } from "../http/request-view.ts"
import { omitUndefined } from "../objects.ts"
import type { ProvenIdentity, SignInResult, SignInSnapshot } from "../proven-identity.ts"
import { recordManager } from "../sessions/lazy-records.ts"
import type { User } from "../types.ts"
import { createNotLinkedError, decideLinking, type LinkingDecision } from "./linking-decision.ts"
import { explainRequiredColumn } from "./required-columns.ts"

/** The user to whom an identity belongs, before anything is stored. */
export interface FoundUser {
  /** Undefined when nothing is stored. */
  readonly decision: LinkingDecision | undefined
  /** The stored user, or else the user as the provider describes them. */
  readonly user: User
  /** See `SignInResult`. */
  readonly isAddedAccount?: boolean
}

/** Finds the user to whom an identity belongs. Changes nothing. */
export async function findUser(
  identity: ProvenIdentity,
  linkTarget: AdapterUser | null,
  allowEmailLinking: boolean,
  services: FlowContext,
): Promise<FoundUser> {
  const { store } = services
  const { account, emailVerification, user } = identity
  const { type, provider, providerAccountId } = account
  if (type === "credentials") return { decision: undefined, user }
  if (!store) {
    const id = await createStableId(provider, providerAccountId)
    // The session keeps the tokens of another account of the same user.
    if (linkTarget)
      return { decision: undefined, user: linkTarget, isAddedAccount: id !== linkTarget.id }
    const isOAuth = type === "oauth" || type === "oidc"
    return { decision: undefined, user: isOAuth ? { ...user, id } : user }
  }
  const context = { ...services, store, identity }
  const knownOwner = await findAccountOwner(context)
  const emailOwner =
    knownOwner || linkTarget || !user.email ? null : await store.getUserByEmail(user.email)
  // If the address has an owner, another request of this user may have stored the account after the first query.
  const accountOwner = emailOwner ? await findAccountOwner(context) : knownOwner
  const facts = { accountOwner, emailOwner, linkTarget, allowEmailLinking, emailVerification }
  const decision = decideLinking({ type, ...facts })
  const isAddedAccount = decision.kind === "link"
  return { decision, user: "user" in decision ? decision.user : user, isAddedAccount }
}

/**
 * Creates the id of a user who is not stored: the same at every sign-in, different for every account. It has the shape
 * of a UUID (RFC 9562, version 8).
 */
async function createStableId(provider: string, providerAccountId: string): Promise<string> {
  const hash = await sha256Hex(`${provider}\n${providerAccountId}`)
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 3) | 8).toString(16)
  const group = (start: number, end: number) => hash.slice(start, end)
  return `${group(0, 8)}-${group(8, 12)}-8${group(13, 16)}-${variant}${group(17, 20)}-${group(20, 32)}`
}

/**
 * Finds, links or creates the user.
 *
 * @throws OAuthAccountNotLinked, AccountNotLinked when the account or its address belongs to another user
 */
export async function signInUser(
  identity: ProvenIdentity,
  { decision, user, isAddedAccount = false }: FoundUser,
  services: FlowContext,
  snapshot: SignInSnapshot | undefined,
): Promise<SignInResult> {
  const { account, profile, authentication } = identity
  const { store, config } = services
  const isCredentials = account.type === "credentials"
  const needsStoredUser = isCredentials && config.session.strategy === "database"
  if (needsStoredUser && store && !(await store.getUser(identity.user.id)))
    throw new CallbackRouteError({
      provider: account.provider,
      expected: "`authorize` to return the `id` of a stored user",
      hint: 'Create the user first, or choose `session: { strategy: "jwt" }`.',
    })
  const resolvedUser =
    store && decision
      ? await applyDecision(decision, { ...services, store, identity, snapshot })
      : { user, isNewUser: isCredentials ? false : undefined }
  const isKnownUser = Boolean(decision) && resolvedUser.isNewUser === false
  const proven = omitUndefined({ account, profile, authentication, snapshot, isKnownUser })
  return { ...proven, ...resolvedUser, ...(isAddedAccount && { isAddedAccount }) }
}

async function applyDecision(
  decision: LinkingDecision,
  context: IdentityContext,
): Promise<ResolvedUser> {
  const { newPasskey, account } = context.identity
  const hint = "Sign in as you did before, then add this account while you are signed in."
  switch (decision.kind) {
    case "signIn":
      // The id of a new passkey is not secret, so registering it again does not prove to be its owner.
      if (newPasskey) throw createNotLinkedError(account, { hint })
      await updateStoredTokens(context)
      return { user: await markEmailVerified(decision.user, context), isNewUser: false }
    case "link":
    case "linkByEmail":
      if (decision.kind === "linkByEmail" && context.identity.emailVerification === "verified")
        await endUnprovenSessions(decision.user, context)
      await linkAccount(decision.user, context)
      return { user: decision.user, isNewUser: false }
    case "create":
      return createUser(context)
    case "refuse":
      throw createNotLinkedError(account, {
        expected: "an account and an e-mail address that no other user has",
        hint,
      })
  }
}

type SignInParams = Parameters<ResolvedConfig["callbacks"]["signIn"]>[0]

/**
 * Calls the `signIn` callback. Returns the URL to redirect to instead of signing in, if the callback decided so.
 *
 * @param user the stored user, if there is one
 * @param isVerificationRequest whether a link is requested, so that nothing is proven yet
 * @throws AccessDenied when it refuses or fails; an AuthError that it throws is passed on, but for
 *   `verificationRequest`
 */
export async function authorizeSignIn(
  { account, profile, credentials }: ProvenIdentity,
  user: User,
  isVerificationRequest: boolean,
  { request, config: { callbacks, customCallbacks } }: FlowContext,
): Promise<string | undefined> {
  if (!customCallbacks.has("signIn")) return undefined // the default allows every sign-in
  const { provider } = account
  const email = isVerificationRequest ? { verificationRequest: true } : undefined
  // Auth.js gives the values of the fields the type of the fields.
  const params = omitUndefined({ user, account, profile, email, credentials }) as SignInParams
  let result: unknown
  try {
    result = await callbacks.signIn(addRequest(params, request))
  } catch (cause) {
    if (cause instanceof AuthError && !isVerificationRequest) throw cause
    throw new AccessDenied(getErrorMessage(cause), { provider, cause })
  }
  if (!result) throw new AccessDenied({ summary: "The `signIn` callback refused.", provider })
  return typeof result === "string" ? result : undefined
}

/** A proven identity, and the services of an application with a database. */
interface IdentityContext extends StoreServices {
  readonly request: ActionRequest
  readonly identity: ProvenIdentity
  readonly snapshot?: SignInSnapshot | undefined
}

/** A stored user, and whether this sign-in created it. */
type ResolvedUser = Pick<SignInResult, "user" | "isNewUser">

/** Returns the user who has the account of the identity. */
async function findAccountOwner(context: IdentityContext): Promise<AdapterUser | null> {
  const { provider, providerAccountId, type } = context.identity.account
  if (type === "email") return null
  return context.store.getUserByAccount({ provider, providerAccountId })
}

/** Creates the user of the identity at the first sign-in, with the account. */
async function createUser(context: IdentityContext): Promise<ResolvedUser> {
  const { identity, store, emitEvent } = context
  const { type, providerAccountId } = identity.account
  const isEmail = type === "email"
  try {
    const user = await storeUser(context)
    await emitEvent("createUser", { user }, context.request)
    await reportIdentity("user-created", user, context)
    if (!isEmail) await emitLinkAccount(user, context)
    return { user, isNewUser: true }
  } catch (error) {
    // Another first sign-in of the same user may have created it at the same time.
    const existing = identity.newPasskey
      ? null
      : await (isEmail ? store.getUserByEmail(providerAccountId) : findAccountOwner(context))
    if (!existing) throw explainRequiredColumn(error, buildNewUser(context))
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
async function linkAccount(user: AdapterUser, context: IdentityContext): Promise<void> {
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
  if (identity.newPasskey) return reportIdentity("passkey-added", user, context)
  const facts = { userId: String(user.id), provider: account.provider, method: account.type }
  await reportSecurityEvent(context, "account-linked", facts, request)
}

const reportIdentity = (
  type: "passkey-added" | "user-created",
  { id }: AdapterUser,
  context: IdentityContext,
): Promise<void> => {
  const facts = { userId: String(id), provider: context.identity.account.provider }
  return reportSecurityEvent(context, type, facts, context.request)
}

/** Records that an e-mail link proved the address. The date of the first proof is kept. */
async function markEmailVerified(
  user: AdapterUser,
  context: IdentityContext,
): Promise<AdapterUser> {
  const { identity, store, emitEvent } = context
  if (user.emailVerified || identity.account.type !== "email") return user
  await endUnprovenSessions(user, context)
  const updated = await store.updateUser({ id: user.id, emailVerified: new Date() })
  await emitEvent("updateUser", { user: updated }, context.request)
  const facts = { userId: String(user.id) }
  await reportSecurityEvent(context, "address-verified", facts, context.request)
  return updated
}

/**
 * Ends the sessions of a user before the owner of the address enters for the first time: they may belong to somebody
 * who signed up with it. Without `session.records`, sealed cookies, and sessions of an adapter without `deleteSessions`,
 * cannot be ended.
 */
async function endUnprovenSessions(
  { id, emailVerified }: AdapterUser,
  context: IdentityContext,
): Promise<void> {
  const { store, config, snapshot } = context
  if (emailVerified) return
  if (config.session.records)
    await recordManager.revokeUserSessions(context, String(id), snapshot?.id)
  else if (config.session.strategy === "database" && config.adapter?.deleteSessions)
    await store.deleteSessions(id)
}

/**
 * Stores the tokens of a later sign-in, if the adapter can. Tokens that the provider did not send again are kept: some
 * send a refresh token only at the first sign-in.
 */
async function updateStoredTokens(context: IdentityContext): Promise<void> {
  const { identity, store, config } = context
  const { provider, providerAccountId, type } = identity.account
  if (!config.adapter?.updateAccount || (type !== "oauth" && type !== "oidc")) return
  const { userId: _, ...tokens } = identity.storedAccount // a provider does not decide whose account it is
  const sent = Object.entries(tokens).filter(([, value]) => value !== undefined && value !== null)
  await store.updateAccount({ ...Object.fromEntries(sent), provider, providerAccountId })
}
