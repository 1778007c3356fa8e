/** `signin/second-factor`: asks for the second factor of a sign-in that waits, or of a session, and adds the first one. */
import type { AdapterFactor } from "../../adapters.ts"
import { reportSecurityEvent } from "../../config/report-security-event.ts"
import { findProvider } from "../../config/resolve-providers.ts"
import { requireDatabase } from "../../config/stored-accounts.ts"
import { WebAuthnVerificationError } from "../../errors.ts"
import { base64ToBase64Url } from "../../flows/passkeys/credential.ts"
import { completeWebAuthnFlow } from "../../flows/passkeys/webauthn.ts"
import { findPasskeyProvider } from "../../flows/second-factor/passkey-factor.ts"
import {
  hasMainFactor,
  listAllFactors,
  verifyFactor,
} from "../../flows/second-factor/stored-factors.ts"
import { type ActionOutcome, redirectOutcome } from "../../http/action-outcome.ts"
import { readTextField } from "../../http/request-body.ts"
import { addApp, createSetup, openSetup, verifySetup } from "../../identity/factors.ts"
import { defaultMaxAge } from "../../identity/server-accounts.ts"
import { isRecent } from "../../sessions/session-facts.ts"
import type { Action, ActionContext } from "../action-context.ts"
import { verifyCsrfToken } from "../csrf.ts"
import { enforceAttemptLimits } from "../limits/enforce-limits.ts"
import { resetFactorAttempts } from "../limits/factor-attempts.ts"
import { resolveDestination } from "../resolve-callback-url.ts"
import { finishSignIn } from "../sign-in/finish-sign-in.ts"
import { showFactorPage, showRecoveryCodes, showSetupPage } from "./factor-pages.ts"
import { type FactorSubject, findSubject } from "./factor-subject.ts"
import { endPendingSignIn, type PendingSignIn, restoreSignIn } from "./pending-sign-in.ts"
import { trustDevice } from "./trusted-devices.ts"

export const secondFactorAction: Action = async (context) => {
  const { request } = context
  const subject = await findSubject(context)
  if (!subject) {
    // Nobody is signed in, or the sign-in was too long ago, or has ended.
    const callbackUrl = request.query.has("callbackUrl") && (await resolveDestination(context))
    return redirectToSignIn(context, callbackUrl ? { callbackUrl } : {})
  }
  if (request.method === "POST") await verifyCsrfToken(context, subject.csrfScope)
  const factors = await listAllFactors(requireDatabase(context), subject.userId)
  if (!hasMainFactor(factors)) return addFirstFactor(context, subject)
  if (request.method === "GET") return showFactorPage(context, subject, factors)
  return proveFactor(context, subject, factors)
}

const getCurrentSecond = () => Math.floor(Date.now() / 1000)

/** Checks what the person typed. */
async function proveFactor(
  context: ActionContext,
  subject: FactorSubject,
  factors: readonly AdapterFactor[],
): Promise<ActionOutcome> {
  const { request, config } = context
  const { userId, kind, callbackUrl } = subject
  const askAgain = (query: Record<string, string> = {}) =>
    redirectOutcome(subject.pageUrl, { ...query, ...(kind === "session" && { callbackUrl }) })
  const wanted = readTextField(request.body, "method") ?? request.query.get("method")
  const method = config.secondFactor?.methods.find(({ id }) => id === wanted)?.id
  if (!method) return askAgain()
  const code = readTextField(request.body, "code") ?? ""
  const attemptKeys = await enforceAttemptLimits(context, "second-factor", userId)
  const factor =
    method === "passkey"
      ? await verifyPasskey(context, factors)
      : await verifyFactor(requireDatabase(context), userId, method, code)
  const { id: sessionId } = subject.kind === "session" ? subject.facts : {}
  const type = factor ? "factor-proven" : "factor-refused"
  await reportSecurityEvent(context, type, { userId, sessionId, factor: method }, request)
  if (!factor) return askAgain({ method, error: "incorrect" })
  const isTrusted = readTextField(request.body, "trustDevice") !== undefined
  const keepDevice = async () => {
    await resetFactorAttempts(context, userId, attemptKeys)
    if (isTrusted && kind === "sign-in")
      await trustDevice(context, factor, factors, getCurrentSecond())
    return true
  }
  return complete(context, subject, keepDevice)
}

/** Returns the passkey with which a device has answered the page; undefined if it is not one of the user. */
async function verifyPasskey(
  context: ActionContext,
  factors: readonly AdapterFactor[],
): Promise<AdapterFactor | undefined> {
  const provider = findPasskeyProvider(context.config)
  // Only an authentication: a new passkey would prove nothing.
  if (!provider || readTextField(context.request.body, "action") !== "authenticate")
    return undefined
  try {
    const { identity } = await completeWebAuthnFlow({ ...context, provider })
    const { userId, providerAccountId } = identity.storedAccount
    return factors.find(
      (factor) =>
        factor.method === "passkey" &&
        factor.userId === String(userId) &&
        base64ToBase64Url(factor.id) === base64ToBase64Url(providerAccountId),
    )
  } catch (error) {
    if (!(error instanceof WebAuthnVerificationError)) throw error
    context.logger.error(error)
    return undefined
  }
}

/**
 * Starts the session of a sign-in, or raises the level of a session. The second factor was just proven.
 *
 * @param beforeSession runs once: of several requests for a sign-in, for the one whose session begins. With false, none
 *   begins
 */
async function complete(
  context: ActionContext,
  subject: FactorSubject,
  beforeSession: () => Promise<boolean>,
): Promise<ActionOutcome> {
  const { request, sessions } = context
  if (subject.kind === "sign-in") {
    const { pending } = subject
    if (!(await endPendingSignIn(context, pending))) return redirectToSignIn(context)
    if (!(await beforeSession())) return redirectToSignIn(context)
    return completeSignIn(context, pending)
  }
  if (!(await beforeSession())) return redirectOutcome(subject.pageUrl)
  await sessions.addFactor(request, getCurrentSecond())
  return redirectOutcome(subject.callbackUrl)
}

const redirectToSignIn = ({ request }: ActionContext, query: Record<string, string> = {}) =>
  redirectOutcome(`${request.actionsUrl}/signin`, query)

/** Starts the session of a sign-in whose second factor was just proven. */
async function completeSignIn(
  context: ActionContext,
  pending: PendingSignIn,
): Promise<ActionOutcome> {
  const provider = findProvider(context.config, pending.provider)
  if (!provider) return redirectToSignIn(context)
  const result = await restoreSignIn(context, pending)
  return finishSignIn(context, {
    provider,
    result: { ...result, factorTime: getCurrentSecond() },
    callbackUrl: pending.callbackUrl,
    isLinking: false,
    attemptKeys: pending.attemptKeys,
  })
}

/** Adds the first factor of a user: of one who must have one before the session begins, or of one who is signed in. */
async function addFirstFactor(
  context: ActionContext,
  subject: FactorSubject,
): Promise<ActionOutcome> {
  const { request } = context
  const { userId, callbackUrl } = subject
  // Somebody has removed the factors that the sign-in waited for.
  if (subject.kind === "sign-in" && !subject.pending.isEnrolment) return redirectToSignIn(context)
  if (subject.kind === "session" && !isFresh(subject))
    return redirectToSignIn(context, { prompt: "login", callbackUrl })
  const services = requireDatabase(context)
  const sent = readTextField(request.body, "setup")
  const setup = sent === undefined ? undefined : await openSetup(services, userId, sent)
  if (request.method === "GET" || !setup)
    return showSetupPage(context, subject, await createSetup(services, userId), false)
  const data = await verifySetup(services, setup, readTextField(request.body, "code") ?? "")
  if (!data) return showSetupPage(context, subject, setup, true)
  let codes: readonly string[] | undefined
  const next = await complete(context, subject, async () => {
    const added = await addApp(services, userId, setup, data, true)
    codes = added.kind === "added" ? added.recoveryCodes : undefined
    return added.kind !== "refused"
  })
  return next.kind === "redirect" && codes ? showRecoveryCodes(context, codes, next.to) : next
}

/** Whether the user of a session authenticated recently enough to add a factor. */
function isFresh({ facts }: FactorSubject & { readonly kind: "session" }): boolean {
  const { authTime, createdAt = Number.NaN } = facts
  return isRecent(getCurrentSecond() - (authTime ?? createdAt), defaultMaxAge)
}
