/** The callback of a link that was sent by e-mail, and of its code. */
import { foldEmailAddress } from "../../config/fold-email-address.ts"
import { Verification } from "../../errors.ts"
import { canEnterCode, completeEmailCode, completeEmailLink } from "../../flows/email/email.ts"
import { normalizeIdentifier } from "../../flows/email/email-address.ts"
import { createEmailContext, readLink } from "../../flows/email/email-link.ts"
import type { CompletedFlow, FlowResult } from "../../flows/flow.ts"
import { redirectOutcome } from "../../http/action-outcome.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import { readTextField } from "../../http/request-body.ts"
import type { ResolvedEmailProvider } from "../../providers/resolved-provider.ts"
import type { ActionContext } from "../action-context.ts"
import { verifyCsrfToken } from "../csrf.ts"
import { enforceAttemptLimits, enforceRateLimit } from "../limits/enforce-limits.ts"
import { resolveDestination } from "../resolve-callback-url.ts"
import { readShownSession } from "../shown-session.ts"
import { hasGuessableToken, verifyFormRequest } from "../sign-in/form-request.ts"
import { readRememberMe } from "../sign-in/remember-me.ts"
import { refuseFlow } from "../sign-in/sign-in-flow.ts"
import { describeConfirmPage } from "./confirm-page.ts"
import { readRequestedAddress, readRequestState } from "./requested-link.ts"

/** Verifies the request, and consumes the link or the code, unless the request must not consume it. */
export async function completeEmailCallback(
  context: ActionContext,
  provider: ResolvedEmailProvider,
): Promise<FlowResult> {
  const { request } = context
  const isCode = isCodeRequest(request)
  const status = getRefusalStatus(request, isCode)
  if (status !== undefined) return { kind: "response", outcome: { kind: "empty", status } }
  refuseFlow(context, provider.id)
  if (isCode)
    return completeFlow(context, provider, false, () => completeCodeRequest(context, provider))
  const isOpened = request.method === "GET"
  const isGuessable = hasGuessableToken(request)
  // The response reveals whether a short token is right, so opening the link counts as a guess.
  const isVerified = !isOpened || isGuessable
  const verifiedKeys = isVerified ? await verifyFormRequest(context, provider) : undefined
  const emailContext = createEmailContext(context, provider)
  const link = await readLink(emailContext)
  const isOwn = link.marker !== undefined
  // Another browser cannot use a short token, even if its user confirms it.
  const isUsable = isOwn || (provider.allowAnyBrowser && !isGuessable)
  if (isOpened && (isUsable ? provider.confirm : !isGuessable)) {
    const page = await describeConfirmPage(context, provider, isUsable)
    return { kind: "response", outcome: await context.renderPage(page, request) }
  }
  return completeFlow(context, provider, isOwn, async () => {
    const attemptKeys = verifiedKeys ?? (await verifyFormRequest(context, provider))
    const code = readTextField(request.body, "code")
    return { ...(await completeEmailLink(emailContext, link, code)), attemptKeys }
  })
}

/**
 * Returns the status for prefetches and embedded content, which must not consume a link; undefined for requests of a
 * visitor.
 */
function getRefusalStatus({ headers }: ActionRequest, isCode: boolean): number | undefined {
  const purposes = ["sec-purpose", "purpose", "x-moz", "x-purpose"].map((name) => headers.get(name))
  if (purposes.some((value) => /prefetch|prerender|preview/i.test(value ?? ""))) return 503
  // An image or frame on another page would sign visitors in as whoever requested the link.
  const destination = headers.get("sec-fetch-dest")
  const isScript = destination === "empty" && isCode
  return destination !== null && destination !== "document" && !isScript ? 400 : undefined
}

/** Whether a request has no link, but the code that its user typed in the browser that requested it. */
const isCodeRequest = ({ method, query, body }: ActionRequest): boolean =>
  method === "POST" && !query.has("token") && readTextField(body, "code") !== undefined

/**
 * Completes the sign-in. A refused request that repeats it leads on.
 *
 * @param isOwnLink whether the request has a link that this browser requested
 */
async function completeFlow(
  context: ActionContext,
  provider: ResolvedEmailProvider,
  isOwnLink: boolean,
  complete: () => Promise<CompletedFlow>,
): Promise<FlowResult> {
  try {
    const result = await complete()
    const rememberMe = readRememberMe(context) ?? result.signIn?.rememberMe
    return { ...result, signIn: { rememberMe } }
  } catch (error) {
    if (!(error instanceof Verification)) throw error
    if (!(await isRepeated(context, provider, isOwnLink, error))) throw error
    return { kind: "response", outcome: redirectOutcome(await resolveDestination(context)) }
  }
}

/** Whether a refused request repeats the sign-in of the visitor: a second press, or the link after its code. */
async function isRepeated(
  context: ActionContext,
  provider: ResolvedEmailProvider,
  isOwnLink: boolean,
  { codeProblem }: Verification,
): Promise<boolean> {
  if (codeProblem === "missing" || !(await isSignedInAsRequested(context, provider))) return false
  if (codeProblem === undefined) return isOwnLink
  // If the browser has requested several e-mails, a code that was used is a wrong one for the others.
  return codeProblem === "invalid" || (await isRequestCompleted(context))
}

async function completeCodeRequest(
  context: ActionContext,
  provider: ResolvedEmailProvider,
): Promise<CompletedFlow> {
  const { body } = context.request
  await verifyCsrfToken(context, "any-session")
  const emailContext = createEmailContext(context, provider)
  const email = readTextField(body, "email") ?? (await readRequestedAddress(context, provider))
  // Without an address, there is no request to which the code could belong.
  const identifier = email === undefined ? "" : await normalizeIdentifier(provider, email)
  // Only a browser that has requested an e-mail can guess. Others must not use up an address's attempts.
  const isGuessable = await canEnterCode(emailContext, identifier)
  const attemptKeys = await enforceAttemptLimits(context, "email-code", identifier, isGuessable)
  await enforceRateLimit(context, "email-link", provider.id, identifier)
  const code = readTextField(body, "code") ?? ""
  return { ...(await completeEmailCode(emailContext, identifier, code)), attemptKeys }
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
