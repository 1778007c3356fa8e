/** Starts a sign-in with a link that is sent by e-mail. */
import { AuthError, EmailSignInError } from "../../errors.ts"
import { normalizeIdentifier } from "../../flows/email/email-address.ts"
import { createEmailContext, createEmailIdentity } from "../../flows/email/email-link.ts"
import { sendEmailLink } from "../../flows/email/send-email-link.ts"
import { type ActionOutcome, redirectOutcome } from "../../http/action-outcome.ts"
import { readTextField } from "../../http/request-body.ts"
import { authorizeSignIn } from "../../identity/sign-in-user.ts"
import type { ResolvedEmailProvider } from "../../providers/resolved-provider.ts"
import type { ActionContext } from "../action-context.ts"
import { enforceAttemptLimits, enforceRateLimit } from "../limits/enforce-limits.ts"
import { applyRedirectCallback } from "../resolve-callback-url.ts"
import { readRememberMe } from "../sign-in/remember-me.ts"
import { refuseFlow } from "../sign-in/sign-in-flow.ts"
import {
  isRequestedTooSoon,
  isResendRequest,
  readRequestedLink,
  saveRequestedLink,
} from "./requested-link.ts"

/** Sends the link and redirects to the page that says so. */
export async function startEmailSignIn(
  context: ActionContext,
  provider: ResolvedEmailProvider,
  callbackUrl: string,
): Promise<ActionOutcome> {
  try {
    return await requestLink(context, provider, callbackUrl)
  } catch (cause) {
    if (cause instanceof AuthError) throw cause
    throw new EmailSignInError("The link was not created.", { provider: provider.id, cause })
  }
}

async function requestLink(
  context: ActionContext,
  provider: ResolvedEmailProvider,
  callbackUrl: string,
): Promise<ActionOutcome> {
  const { request, logger } = context
  const { id, type } = provider
  refuseFlow(context, id)
  const email = readTextField(request.body, "email")
  const isResend = isResendRequest(request)
  const sentOutcome = redirectOutcome(`${request.actionsUrl}/verify-request`, {
    provider: id,
    type,
  })
  if (isResend && (await isRequestedTooSoon(context, id, email))) return sentOutcome
  const rememberMe =
    readRememberMe(context) ??
    (isResend ? (await readRequestedLink(context))?.rememberMe : undefined)
  const identifier = await normalizeIdentifier(provider, email)
  await enforceAttemptLimits(context, "email-request", identifier)
  await enforceRateLimit(context, "email-request", id, identifier)
  const emailContext = createEmailContext(context, provider)
  const identity = await createEmailIdentity(emailContext, identifier)
  const redirectUrl = await authorizeSignIn(identity, identity.user, true, context)
  if (redirectUrl) return redirectOutcome(await applyRedirectCallback(context, redirectUrl))
  await sendEmailLink(emailContext, identifier, callbackUrl, rememberMe)
  logger.debug("verification_request_sent", { provider: id })
  const sent = { hasCode: provider.sendsCode, rememberMe, sentAt: Date.now() }
  const link = { provider: id, email: email ?? "", callbackUrl, ...sent }
  await saveRequestedLink(context, isResend ? { ...link, notice: "sent-again" } : link)
  return sentOutcome
}
