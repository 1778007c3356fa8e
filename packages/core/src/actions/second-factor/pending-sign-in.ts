/**
 * Sign-ins that wait for a second factor. They are no sessions: a cookie of their own holds what the session will begin
 * with, and a row in the database lets it begin once.
 */
import type { AdapterUser } from "../../adapters.ts"
import { pendingSignInMaxAge } from "../../config/defaults.ts"
import { requireDatabase } from "../../config/stored-accounts.ts"
import { randomToken } from "../../crypto/random.ts"
import { AccessDenied, SessionTooLarge } from "../../errors.ts"
import { consumeVerificationToken, isExpired } from "../../flows/verification-token.ts"
import type { SignInState } from "../../http/action-request.ts"
import {
  deleteChunkedCookie,
  listChunkedValues,
  writeChunkedCookie,
} from "../../http/cookie-chunks.ts"
import { type CookieDefinition, createHostCookie } from "../../http/cookies.ts"
import { omitUndefined } from "../../objects.ts"
import type { SignInResult } from "../../proven-identity.ts"
import type { User } from "../../types.ts"
import type { ActionContext } from "../action-context.ts"

/** A sign-in whose first factor is proven. */
export interface PendingSignIn {
  /** Random. */
  readonly id: string
  readonly userId: string
  /** Id of the provider. */
  readonly provider: string
  /** As `authorize` returned it, which the database does not have. Only with credentials. */
  readonly credentialsUser?: User | undefined
  readonly result: Omit<SignInResult, "user" | "rememberMe">
  readonly state: SignInState
  readonly callbackUrl: string
  /** The keys of the counters that the sign-in resets. */
  readonly attemptKeys: readonly string[]
  /** Whether the database has the user. With credentials, an application may store its users itself. */
  readonly isStored: boolean
  /** Whether the user has no factor, and has to add one. */
  readonly isEnrolment: boolean
}

/** Identifiers of addresses do not contain it. */
const identifier = "pending-sign-in:"

const getCookie = ({ request }: ActionContext): CookieDefinition =>
  createHostCookie(request.cookieDefinitions, "pending-sign-in")

/**
 * Keeps a sign-in until its second factor is proven. Another one of this browser is forgotten.
 *
 * @throws SessionTooLarge, AdapterError
 */
export async function savePendingSignIn(
  context: ActionContext,
  signIn: Omit<PendingSignIn, "id">,
): Promise<void> {
  const { request, sealer, hasher } = context
  const id = randomToken()
  const expires = new Date(Date.now() + pendingSignInMaxAge * 1000)
  const sealed = await sealer.seal("pending sign-in", { ...signIn, id }, pendingSignInMaxAge)
  if (!writeChunkedCookie(request.jar, request.cookies, getCookie(context), sealed, { expires }))
    throw new SessionTooLarge({ expected: "a sign-in of at most 12 KB", received: "a larger one" })
  const token = await hasher.hash("pending sign-in token", id)
  await requireDatabase(context).store.createVerificationToken({ identifier, token, expires })
}

/** Returns the sign-in of this browser that waits; undefined if there is none, or it is too old. */
export async function readPendingSignIn(
  context: ActionContext,
): Promise<PendingSignIn | undefined> {
  for (const sealed of listChunkedValues(context.request.cookies, getCookie(context).name)) {
    const value: unknown = await context.sealer.open("pending sign-in", sealed)
    if (value) return value as PendingSignIn // sealed above
  }
  return undefined
}

/** Ends a sign-in that waits. Returns whether it did not end before: of several requests, one gets true. */
export async function endPendingSignIn(
  context: ActionContext,
  { id }: PendingSignIn,
): Promise<boolean> {
  const { request, hasher } = context
  const hashes = await hasher.hashWithEachSecret("pending sign-in token", id)
  const { store } = requireDatabase(context)
  const row = await consumeVerificationToken(store, identifier, hashes)
  deleteChunkedCookie(request.jar, request.cookies, getCookie(context))
  return row !== undefined && !isExpired(row)
}

/** Ends the sign-in of this browser that waits, if there is one. */
export async function forgetPendingSignIn(context: ActionContext): Promise<void> {
  const pending = await readPendingSignIn(context)
  if (pending) await endPendingSignIn(context, pending)
}

/**
 * Returns the result of a sign-in that waited, with the user as the database has them now.
 *
 * @throws AccessDenied if the user was deleted meanwhile
 */
export async function restoreSignIn(
  context: ActionContext,
  { userId, provider, credentialsUser, result, state, isStored }: PendingSignIn,
): Promise<SignInResult> {
  const stored: AdapterUser | null = await requireDatabase(context).store.getUser(userId)
  const user = credentialsUser ?? stored
  if (!user || (isStored && !stored))
    throw new AccessDenied({
      provider,
      expected: "a user who was not deleted meanwhile",
      hint: "Nothing has to be changed.",
    })
  // Whoever deletes the user from now on finds the session, or is found when it begins.
  const rememberMe = omitUndefined({ rememberMe: state.rememberMe })
  return { ...result, ...rememberMe, user, isKnownUser: isStored }
}
