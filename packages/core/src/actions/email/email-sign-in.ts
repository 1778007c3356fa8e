/** Sign-in by e-mail: sends a link, and completes the sign-in with the link or its code. */

import { foldEmailAddress } from "../../config/adapter-store.ts"
import { reportSecurityEvent } from "../../config/report-security-event.ts"
import { AuthError, EmailSignInError, Verification } from "../../errors.ts"
import { completeEmailCode, completeEmailLink } from "../../flows/email/email.ts"
import { normalizeIdentifier } from "../../flows/email/email-address.ts"
import { createEmailContext, createEmailIdentity, readLink } from "../../flows/email/email-link.ts"
import { sendEmailLink } from "../../flows/email/send-email-link.ts"
import type { CompletedFlow, FlowResult } from "../../flows/flow.ts"
import { type ActionOutcome, redirectOutcome } from "../../http/action-outcome.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import { readTextField } from "../../http/request-body.ts"
import { authorizeSignIn } from "../../identity/sign-in-user.ts"
import type { ResolvedEmailProvider } from "../../providers/resolved-provider.ts"
import type { ActionContext, ProviderContext } from "../action-context.ts"
import { ensureCsrfToken, verifyCsrfToken } from "../csrf.ts"
import {
  enforceAccountLimits,
  enforceAttemptLimits,
  enforceNetworkLimits,
  enforceRateLimit,
  hasGuessableToken,
  verifyAndLimitFormRequest,
} from "../limits/enforce-limits.ts"
import {
  applyRedirectCallback,
  resolveCallbackUrl,
  resolveDestination,
} from "../resolve-callback-url.ts"
import { getUserLabel, readShownSession } from "../session.ts"
import { readRememberMe, refuseFlow } from "../sign-in/sign-in-request.ts"
import {
  getLinkUrl,
  isResendRequest,
  readCodeProblem,
  readRequestedLink,
  readRequestState,
  saveRequestedLink,
} from "./requested-link.ts"

/** How long a message may be on its way before another one is sent, in milliseconds. */
const resendDelay = 10_000

type EmailContext = ProviderContext<ResolvedEmailProvider>

/** Sends the link and redirects to the page that says so. */
export async function startEmailSignIn(
  context: EmailContext,
  callbackUrl: string,
): Promise<ActionOutcome> {
  try {
    return await requestLink(context, callbackUrl)
  } catch (cause) {
    if (cause instanceof AuthError) throw cause
    throw new EmailSignInError(
      { summary: "The link was not created." },
      {
        provider: context.provider.id,
        cause,
      },
    )
  }
}

async function requestLink(context: EmailContext, callbackUrl: string): Promise<ActionOutcome> {
  const { request, provider, logger } = context
  const { id, type } = provider
  refuseFlow(context, id)
  const email = readTextField(request.body, "email")
  const isResend = isResendRequest(request)
  const outcome = redirectOutcome(`${request.actionsUrl}/verify-request`, { provider: id, type })
  const latest = isResend ? await readRequestedLink(context) : undefined
  const isSame = latest?.provider === id && latest.email === email
  if (isSame && Date.now() - latest.sentAt < resendDelay) {
    await saveRequestedLink(context, { ...latest, notice: "too-soon" })
    return outcome
  }
  const rememberMe = readRememberMe(context) ?? latest?.rememberMe
  const identifier = await normalizeIdentifier(provider, email)
  await enforceAttemptLimits(context, "email-request", identifier)
  await enforceRateLimit(context, "email-request", id, identifier)
  const emailContext = createEmailContext(context)
  const identity = await createEmailIdentity(emailContext, identifier)
  const redirectUrl = await authorizeSignIn(identity, identity.user, true, context)
  if (redirectUrl) return redirectOutcome(await applyRedirectCallback(context, redirectUrl))
  await sendEmailLink(emailContext, identifier, callbackUrl, rememberMe)
  logger.debug("verification_request_sent", { provider: id })
  await reportSecurityEvent(context, "email-sent", { provider: id }, request)
  const sent = { hasCode: provider.sendsCode, rememberMe, sentAt: Date.now() }
  const link = { provider: id, email: email ?? "", callbackUrl, ...sent }
  await saveRequestedLink(context, isResend ? { ...link, notice: "sent-again" } : link)
  return outcome
}

/** Verifies the request, and consumes the link or the code, unless the request must not consume it. */
export async function completeEmailCallback(context: EmailContext): Promise<FlowResult> {
  const { request, provider } = context
  const isCode = isCodeRequest(request)
  const status = getRefusalStatus(request, isCode)
  if (status !== undefined) return { kind: "response", outcome: { kind: "empty", status } }
  refuseFlow(context, provider.id)
  if (isCode) return completeFlow(context, false, () => completeCodeRequest(context))
  const isOpened = request.method === "GET"
  const isGuessable = hasGuessableToken(request)
  // The response reveals whether a short token is right, so opening the link counts as a guess.
  const isVerified = !isOpened || isGuessable
  const verifiedKeys = isVerified ? await verifyAndLimitFormRequest(context) : undefined
  const emailContext = createEmailContext(context)
  const link = await readLink(emailContext)
  const isOwn = link.marker !== undefined
  // Another browser cannot use a short token, even if its user confirms it.
  const isUsable = isOwn || (provider.allowAnyBrowser && !isGuessable)
  if (isOpened && (isUsable ? provider.confirm : !isGuessable))
    return { kind: "response", outcome: await renderConfirmPage(context, isUsable) }
  return completeFlow(context, isOwn, async () => {
    const attemptKeys = verifiedKeys ?? (await verifyAndLimitFormRequest(context))
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
 * Renders the page between a link and its use. It asks for the code of the e-mail or, if e-mails carry none, for
 * confirmation.
 *
 * @param isUsable whether this browser may use the link without the code
 */
async function renderConfirmPage(context: EmailContext, isUsable: boolean): Promise<ActionOutcome> {
  const { request, provider, renderPage } = context
  const { query, origin: homeUrl, actionsUrl } = request
  const email = query.get("email") ?? ""
  const csrfToken = await ensureCsrfToken(context, "any-session")
  const form = { action: getLinkUrl(request), csrfToken }
  const user = getUserLabel(await readShownSession(context))
  const page = { page: "confirm", ...form, email, user, homeUrl } as const
  const shownProblem = readCodeProblem(query)
  if (isUsable || (!provider.sendsCode && !shownProblem)) return renderPage(page, request)
  const callbackUrl = await resolveCallbackUrl(context)
  const resendForm = {
    action: `${actionsUrl}/signin/${provider.id}`,
    csrfToken,
    callbackUrl,
    email,
  }
  return renderPage({ ...page, codeForm: { ...form, ...shownProblem }, resendForm }, request)
}

/**
 * Completes the sign-in. A refused request that repeats it leads on.
 *
 * @param isOwnLink whether the request has a link that this browser requested
 */
async function completeFlow(
  context: EmailContext,
  isOwnLink: boolean,
  complete: () => Promise<CompletedFlow>,
): Promise<FlowResult> {
  try {
    const result = await complete()
    const rememberMe = readRememberMe(context) ?? result.signIn?.rememberMe
    return { ...result, signIn: { rememberMe } }
  } catch (error) {
    const isRefused = error instanceof Verification
    if (!isRefused || !(await isRepeated(context, isOwnLink, error))) throw error
    return { kind: "response", outcome: redirectOutcome(await resolveDestination(context)) }
  }
}

/** Whether a refused request repeats the sign-in of the visitor: a second press, or the link after its code. */
async function isRepeated(
  context: EmailContext,
  isOwnLink: boolean,
  { codeProblem }: Verification,
): Promise<boolean> {
  if (codeProblem === "missing" || !(await isSignedInAsRequested(context))) return false
  if (codeProblem === undefined) return isOwnLink
  // If the browser has requested several e-mails, a code that was used is a wrong one for the others.
  return codeProblem === "invalid" || (await isRequestCompleted(context))
}

async function completeCodeRequest(context: EmailContext): Promise<CompletedFlow> {
  const { provider } = context
  const { body } = context.request
  await verifyCsrfToken(context, "any-session")
  const email = readTextField(body, "email") ?? (await readRequestedAddress(context))
  // Without an address, there is no request to which the code could belong.
  const identifier = email === undefined ? "" : await normalizeIdentifier(provider, email)
  const isKnown = await enforceNetworkLimits(context, "email-code", identifier)
  await enforceRateLimit(context, "email-link", provider.id, identifier)
  let attemptKeys: readonly string[] = []
  // Only a code that is compared can be guessed. Others must not use up an address's attempts.
  const onCompare = async () => {
    if (!isKnown) attemptKeys = await enforceAccountLimits(context, "email-code", identifier)
  }
  const code = readTextField(body, "code") ?? ""
  const emailContext = createEmailContext(context)
  const completed = await completeEmailCode(emailContext, identifier, code, onCompare)
  return { ...completed, attemptKeys }
}

/** Returns the address of the latest request of this browser, if it was to this provider. */
async function readRequestedAddress(context: EmailContext): Promise<string | undefined> {
  const link = await readRequestedLink(context)
  return link?.provider === context.provider.id ? link.email : undefined
}

/** Whether the visitor is signed in with the address of the link or the code. */
async function isSignedInAsRequested(context: EmailContext): Promise<boolean> {
  const { query, body } = context.request
  // A link has the address that `normalizeIdentifier` returned; the form has what was typed.
  const typed = readTextField(body, "email")
  const requested =
    query.get("email") ??
    (typed === undefined ? typed : await normalizeIdentifier(context.provider, typed))
  const email = (await readShownSession(context))?.user?.email
  if (email == null) return false
  return requested === undefined
    ? isRequestCompleted(context)
    : foldEmailAddress(email) === foldEmailAddress(requested)
}

const isRequestCompleted = async (context: ActionContext): Promise<boolean> =>
  (await readRequestState(context))?.kind === "completed"
