/**
 * Remembers which link the browser requested, for the page that asks its user to check their mail. A sealed cookie keeps
 * the address out of URLs, and so out of the history, logs and `Referer`. URLs only say why a code was refused.
 */

import type { CodeFormProps } from "@latchkey/pages"
import { getCustomPage } from "../../config/custom-pages.ts"
import type { CodeProblem, Verification } from "../../errors.ts"
import { type ActionOutcome, redirectOutcome } from "../../http/action-outcome.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import { createHostCookie } from "../../http/cookies.ts"
import { readTextField } from "../../http/request-body.ts"
import { omitUndefined } from "../../objects.ts"
import type { ActionContext } from "../action-context.ts"

/** In seconds. */
const maxAge = 900
/** Longest encoded values. Longer ones are not remembered, because a cookie holds 4 KB. */
const maxEmailLength = 960
const maxUrlLength = 1024

/** A request for a link. */
export interface RequestedLink {
  /** Id of the provider. */
  readonly provider: string
  /** The address as it was typed. What `normalizeIdentifier` returned may not be for the visitor to see. */
  readonly email: string
  readonly callbackUrl?: string | undefined
  /** Whether the latest message carries a code. */
  readonly hasCode?: boolean
  /** Whether the session outlasts the browser; undefined if the request did not say. */
  readonly rememberMe?: boolean | undefined
  /** When the latest message was sent, in milliseconds. */
  readonly sentAt: number
  /** The result of the latest request for another message. */
  readonly notice?: "sent-again" | "too-soon" | undefined
}

const getCookie = ({ cookieDefinitions }: ActionRequest) =>
  createHostCookie(cookieDefinitions, "requested-link")

/** Whether the page asks for another message. */
export const isResendRequest = ({ action, body }: ActionRequest): boolean =>
  action === "signin" && readTextField(body, "resend") !== undefined

/** Remembers a request for a link. */
export async function saveRequestedLink(
  { request, sealer }: ActionContext,
  { callbackUrl = "", ...link }: RequestedLink,
): Promise<void> {
  if (encodeURIComponent(link.email).length > maxEmailLength) return forgetRequestedLink(request)
  const isShort = encodeURIComponent(callbackUrl).length <= maxUrlLength
  const value = { ...link, kind: "waiting", ...(isShort && { callbackUrl }) }
  const sealed = await sealer.seal("requested link", value, maxAge)
  request.jar.set(getCookie(request), sealed, { maxAge })
}

/** The latest request of a browser, until somebody has signed in there. Then only where the page leads. */
export type RequestState =
  | ({ readonly kind: "waiting" } & RequestedLink)
  | { readonly kind: "completed"; readonly callbackUrl?: string }

/** Returns the latest request of this browser, unless it is too old. */
export async function readRequestState({
  request,
  sealer,
}: ActionContext): Promise<RequestState | undefined> {
  // Where the name has no prefix, a site on a sub-domain may add a second cookie.
  const [sealed, second] = request.cookies.getAll(getCookie(request).name)
  if (sealed === undefined || second !== undefined) return undefined
  const value: unknown = await sealer.open("requested link", sealed)
  // Sealed above, or by a version without the kind.
  return value ? { kind: "waiting", ...(value as RequestedLink) } : undefined
}

/** Returns the latest request of this browser, if nobody has signed in since. */
export async function readRequestedLink(
  context: ActionContext,
): Promise<RequestedLink | undefined> {
  const state = await readRequestState(context)
  return state?.kind === "waiting" ? state : undefined
}

/** Whether the browser may have requested a link. */
export const hasRequestedLink = (request: ActionRequest): boolean =>
  request.cookies.getRaw(getCookie(request).name) !== undefined

/** Notes that the visitor has signed in, for the page that waits for it. */
export async function completeRequestedLink(context: ActionContext): Promise<void> {
  const { request, sealer } = context
  const link = await readRequestedLink(context)
  if (!link) return forgetRequestedLink(request)
  const completed = omitUndefined({ kind: "completed", callbackUrl: link.callbackUrl })
  const sealed = await sealer.seal("requested link", completed, maxAge)
  request.jar.set(getCookie(request), sealed, { maxAge })
}

/** Deletes the cookie, if the browser has it. */
function forgetRequestedLink(request: ActionRequest): void {
  if (hasRequestedLink(request)) request.jar.delete(getCookie(request))
}

/** Redirects to the link, or in the browser that requested the code to the page that takes it. */
export async function createCodeRedirect(
  { type, codeProblem, attemptsLeft }: Verification,
  { request, config }: ActionContext,
): Promise<ActionOutcome> {
  const { actionsUrl, origin, query, providerId = "" } = request
  const attempts = attemptsLeft === undefined ? undefined : String(attemptsLeft)
  const problem = omitUndefined({ error: type, reason: codeProblem, attempts })
  if (query.has("token")) return redirectOutcome(getLinkUrl(request), problem)
  const page = getCustomPage("verifyRequest", config, origin) ?? `${actionsUrl}/verify-request`
  const url = new URL(page, origin).href
  return redirectOutcome(url, { provider: providerId, type: "email", ...problem })
}

/** Returns the URL of the link that the browser has opened, without the result of a code. */
export function getLinkUrl({ actionsUrl, query, providerId }: ActionRequest): string {
  const link = new URLSearchParams(query)
  for (const name of ["error", "reason", "attempts"]) link.delete(name)
  return `${actionsUrl}/callback/${providerId}?${link}`
}

const problems: readonly string[] = ["incorrect", "missing", "invalid"] satisfies CodeProblem[]

/** Returns why a code was refused, as the query of the page says it; undefined if none was. */
export function readCodeProblem(
  query: URLSearchParams,
): Pick<CodeFormProps, "problem" | "attemptsLeft"> | undefined {
  const reason = query.get("reason") ?? ""
  if (query.get("error") !== "Verification" || !problems.includes(reason)) return undefined
  const attempts = query.get("attempts") ?? ""
  const attemptsLeft = /^[1-9]$/.test(attempts) ? Number(attempts) : undefined
  return { problem: reason as CodeProblem, attemptsLeft } // one of the list
}
