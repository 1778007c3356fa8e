/** Finds the user to whom a proven identity belongs, asks the application, and links or creates the user. */
import type { AdapterUser } from "../adapters.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { sha256Hex } from "../crypto/digest.ts"
import { AccessDenied, AuthError, CallbackRouteError } from "../errors.ts"
import type { FlowContext } from "../flows/flow.ts"
import { addRequest } from "../http/request-view.ts"
import { omitUndefined } from "../objects.ts"
import type { ProvenIdentity, SignInResult } from "../proven-identity.ts"
import type { User } from "../types.ts"
import {
  createUser,
  endUnprovenSessions,
  findAccountOwner,
  type IdentityContext,
  linkAccount,
  markEmailVerified,
  type ResolvedUser,
  updateStoredTokens,
} from "./accounts.ts"
import { createNotLinkedError, decideLinking, type LinkingDecision } from "./linking-decision.ts"

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
      ? await applyDecision(decision, { ...services, store, identity })
      : { user, isNewUser: isCredentials ? false : undefined }
  const proven = omitUndefined({ account, profile, authentication })
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
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new AccessDenied(message, { provider, cause })
  }
  if (!result) throw new AccessDenied("The `signIn` callback refused.", { provider })
  return typeof result === "string" ? result : undefined
}
