/** The callback of a link that was sent by e-mail, and of its code. */
import { foldEmailAddress } from "../../config/fold-email-address.ts"
import { Verification } from "../../errors.ts"
import { canEnterCode, completeEmailCode, completeEmailLink } from "../../flows/email/email.ts"
import { normalizeIdentifier } from "../../flows/email/email-identity.ts"
import { findLinkMarker } from "../../flows/email/email-link.ts"
import type { FlowResult } from "../../flows/flow-result.ts"
import type { ActionOutcome } from "../../http/action-outcome.ts"
import { readTextField } from "../../http/request-body.ts"
import type { ResolvedEmailProvider } from "../../providers/resolved-provider.ts"
import type { ActionContext } from "../action-context.ts"
import { verifyCsrfToken } from "../csrf.ts"
import { enforceAttemptLimits, enforceRateLimit } from "../limits/enforce-limits.ts"
import { resolveDestination } from "../resolve-callback-url.ts"
import { readShownSession } from "../shown-session.ts"
import { hasGuessableToken, verifyFormRequest } from "../sign-in/form-request.ts"
import { refuseFlow } from "../sign-in/sign-in-flow.ts"
import { describeConfirmPage } from "./confirm-page.ts"
import { readRequestedAddress, readRequestState } from "./requested-link.ts"

/**
 * Answers requests that must not consume an e-mail link: prefetches and embedded content, and opening the link in a
 * browser that did not request it, which mail scanners and other sites do. There, a page asks for the code of the
 * e-mail, or for confirmation.
 */
export async function checkEmailLinkRequest(
  context: ActionContext,
  provider: ResolvedEmailProvider,
): Promise<ActionOutcome | undefined> {
  const { request, renderPage } = context
  const { headers } = request
  const purposes = ["sec-purpose", "purpose", "x-moz", "x-purpose"].map((name) => headers.get(name))
  if (purposes.some((value) => /prefetch|prerender|preview/i.test(value ?? "")))
    return { kind: "empty", status: 503 }
  // An image or frame on another page would sign visitors in as whoever requested the link.
  const destination = headers.get("sec-fetch-dest")
  const isScript = destination === "empty" && isCodeRequest(context)
  if (destination !== null && destination !== "document" && !isScript)
    return { kind: "empty", status: 400 }
  if (request.method !== "GET") return undefined
  // The response reveals whether a short token is right, so opening the link counts as a guess.
  if (hasGuessableToken(request)) await verifyFormRequest(context, provider)
  const isOwn = (await findLinkMarker({ ...context, provider })) !== undefined
  // Another browser cannot use a short token, even if its user confirms it.
  const isUsable = isOwn || (provider.allowAnyBrowser && !hasGuessableToken(request))
  if (isUsable ? !provider.confirm : hasGuessableToken(request)) return undefined
  return renderPage(await describeConfirmPage(context, provider, isUsable), request)
}

/** Whether a request has no link, but the code that its user typed in the browser that requested it. */
const isCodeRequest = ({ request: { method, query, body } }: ActionContext): boolean =>
  method === "POST" && !query.has("token") && readTextField(body, "code") !== undefined

/** Verifies the request, and consumes the link or the code. */
export async function completeEmailCallback(
  context: ActionContext,
  provider: ResolvedEmailProvider,
): Promise<FlowResult> {
  refuseFlow(context, provider.id)
  try {
    if (isCodeRequest(context)) return await completeCodeRequest(context, provider)
    return await completeLinkRequest(context, provider)
  } catch (error) {
    if (!(error instanceof Verification) || !(await isRepeated(context, provider, error)))
      throw error
    return { kind: "forward", url: await resolveDestination(context) }
  }
}

/** Whether a refused request repeats the sign-in of the visitor: a second press, or the link after its code. */
async function isRepeated(
  context: ActionContext,
  provider: ResolvedEmailProvider,
  { codeProblem }: Verification,
): Promise<boolean> {
  if (codeProblem === "missing" || !(await isSignedInAsRequested(context, provider))) return false
  if (codeProblem === undefined)
    return (await findLinkMarker({ ...context, provider })) !== undefined
  // If the browser has requested several e-mails, a code that was used is a wrong one for the others.
  return codeProblem === "invalid" || (await isRequestCompleted(context))
}

async function completeLinkRequest(
  context: ActionContext,
  provider: ResolvedEmailProvider,
): Promise<FlowResult> {
  const { request } = context
  // A short token that a browser opened was counted before.
  if (request.method === "POST" || !hasGuessableToken(request))
    await verifyFormRequest(context, provider)
  return completeEmailLink({ ...context, provider }, readTextField(request.body, "code"))
}

async function completeCodeRequest(
  context: ActionContext,
  provider: ResolvedEmailProvider,
): Promise<FlowResult> {
  const { body } = context.request
  await verifyCsrfToken(context, "any-session")
  const emailContext = { ...context, provider }
  const email = readTextField(body, "email") ?? (await readRequestedAddress(context, provider))
  // Without an address, there is no request to which the code could belong.
  const identifier = email === undefined ? "" : await normalizeIdentifier(provider, email)
  // Only a browser that has requested an e-mail can guess. Others must not use the attempts of an address up.
  const isGuessable = await canEnterCode(emailContext, identifier)
  await enforceAttemptLimits(context, "email-code", identifier, isGuessable)
  await enforceRateLimit(context, "email-link", provider.id, identifier)
  return completeEmailCode(emailContext, identifier, readTextField(body, "code") ?? "")
}

/** Whether the visitor is signed in with the address of the link or the code. */
async function isSignedInAsRequested(
  context: ActionContext,
  provider: ResolvedEmailProvider,
): Promise<boolean> {
  const { query, body } = context.request
  // A link has the address that `normalizeIdentifier` returned; the form has what was typed.
  const typed = readTextField(body, "email")
  const requested =
    query.get("email") ?? (typed === undefined ? typed : await normalizeIdentifier(provider, typed))
  const email = (await readShownSession(context))?.user?.email
  if (email == null) return false
  return requested === undefined
    ? isRequestCompleted(context)
    : foldEmailAddress(email) === foldEmailAddress(requested)
}

const isRequestCompleted = async (context: ActionContext): Promise<boolean> =>
  (await readRequestState(context))?.kind === "completed"
