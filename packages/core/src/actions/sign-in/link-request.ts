/** Links an account to the signed-in user, when their own session requests it. */
import type { AdapterUser } from "../../adapters.ts"
import {
  AccountNotLinked,
  type AuthError,
  OAuthAccountNotLinked,
  OAuthCallbackError,
} from "../../errors.ts"
import type { CompletedFlow, LinkRequest } from "../../flows/flow.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import { createNotLinkedError } from "../../identity/linking-decision.ts"
import { omitUndefined } from "../../objects.ts"
import { sealedRecords } from "../../sessions/lazy-records.ts"
import type { ActionContext } from "../action-context.ts"

/** Whether a form requests that the account be linked to the signed-in user. */
export function isLinkRequested({ body }: ActionRequest): boolean {
  const link = Object.hasOwn(body, "link") ? body["link"] : false
  return link === true || link === "true"
}

/** Whether an error is one that the page that asked for the account shows, and not the sign-in page. */
export function isLinkingRefused(error: unknown): error is AuthError {
  return (
    error instanceof OAuthAccountNotLinked ||
    error instanceof AccountNotLinked ||
    (error instanceof OAuthCallbackError && error.isDenied)
  )
}

/** Adds an error to the URL of the page that asked for the account. */
export function addLinkingError(pageUrl: string, { type }: AuthError): string {
  const url = new URL(pageUrl)
  url.searchParams.set("error", type)
  return url.href
}

/** Removes the error of an earlier attempt, so that the page does not show it again after another one. */
export function removeLinkingError(pageUrl: string): string {
  const url = new URL(pageUrl)
  if (!linkingErrors.has(url.searchParams.get("error") ?? "")) return pageUrl
  url.searchParams.delete("error")
  return url.href
}

const linkingErrors = new Set<string>(
  [OAuthAccountNotLinked, AccountNotLinked, OAuthCallbackError].map(({ type }) => type),
)

/** Returns the link request of a new sign-in; undefined if it should not link, or nobody is signed in. */
export async function createLinkRequest(context: ActionContext): Promise<LinkRequest | undefined> {
  const { request, config, store } = context
  const isRequested = isLinkRequested(request)
  const canLink = store || config.session.providerTokens
  if (!canLink || !(isRequested || config.implicitLinking)) return undefined
  const linkRequest = await createSessionLinkRequest(context)
  if (linkRequest || !isRequested) return linkRequest
  throw new OAuthAccountNotLinked({ expected: "a signed-in user who adds the account" })
}

/** Returns a link request for the current session; undefined if nobody is signed in. */
export async function createSessionLinkRequest(
  context: ActionContext,
): Promise<LinkRequest | undefined> {
  const { request, hasher, sessions } = context
  const userId = await readUserId(context)
  if (!userId) return undefined
  const binding = await sessions.getSessionBinding(request)
  return { userId, sessionBinding: await hasher.hash("session binding", binding) }
}

/** Returns the user of a session that keeps the tokens of several providers, without a database. */
async function readSessionUser(
  { request, sessions }: ActionContext,
  id: string,
): Promise<AdapterUser | null> {
  const read = await sessions.checkSession(request)
  if (read.kind !== "valid" || !read.token) return null
  const { name, email, picture: image } = read.token
  // A user without an address has none here, as in the session.
  return { id, emailVerified: null, ...omitUndefined({ name, email, image }) } as AdapterUser
}

/** Returns nobody if there are sessions of several users: a sub-domain may have set the one that is read. */
async function readUserId(context: ActionContext): Promise<string | undefined> {
  const { request, sessions, logger } = context
  if (await sessions.hasSeveralUsers(request)) {
    logger.debug("session_cookie_repeated")
    return undefined
  }
  const read = await sessions.revalidateSession(request)
  if (read.kind === "unavailable") throw read.error
  if (read.kind !== "valid") return undefined
  const { strategy, records } = context.config.session
  // The account outlasts the session: the revocations that this process knows may be too old.
  const isRevoked =
    records && strategy === "jwt" && (await sealedRecords.isSealedSessionRevoked(context, read))
  return isRevoked ? undefined : read.userId
}

/**
 * Returns the user that an account is to be linked to.
 *
 * @throws OAuthAccountNotLinked, AccountNotLinked if the current session is not the one that requested the link
 */
export async function findLinkUser(
  context: ActionContext,
  { identity, linkRequest }: CompletedFlow,
): Promise<AdapterUser | null> {
  const { request, hasher, sessions, store } = context
  if (!linkRequest) return null
  const userId = await readUserId(context)
  const binding = await sessions.getSessionBinding(request)
  const hashes = await hasher.hashWithEachSecret("session binding", binding)
  const isSameSession = userId === linkRequest.userId && hashes.includes(linkRequest.sessionBinding)
  const user =
    isSameSession && (await (store ? store.getUser(userId) : readSessionUser(context, userId)))
  if (user) return user
  throw createNotLinkedError(identity.account, {
    expected: "the session that requested the link",
    hint: "The session ended, or someone else signed in, during the sign-in.",
  })
}
