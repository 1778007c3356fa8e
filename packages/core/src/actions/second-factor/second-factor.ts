/** `signin/second-factor`: asks for the second factor of a sign-in that waits, or of a session, and adds the first one. */
import type { AdapterFactor } from "../../adapters.ts"
import { reportSecurityEvent } from "../../config/report-security-event.ts"
import { requireDatabase } from "../../config/stored-accounts.ts"
import { WebAuthnVerificationError } from "../../errors.ts"
import { base64ToBase64Url } from "../../flows/passkeys/credential.ts"
import { recordPasskey } from "../../flows/passkeys/passkey-details.ts"
import { completeWebAuthnFlow } from "../../flows/passkeys/webauthn.ts"
import { createEmailCode } from "../../flows/second-factor/email-codes.ts"
import { findPasskeyProvider } from "../../flows/second-factor/passkey-factor.ts"
import {
  hasMainFactor,
  listAllFactors,
  openFactorData,
  sealFactorData,
  verifyFactor,
} from "../../flows/second-factor/stored-factors.ts"
import { type ActionOutcome, redirectOutcome } from "../../http/action-outcome.ts"
import { readTextField } from "../../http/request-body.ts"
import { loadOnFirstCall } from "../../load-on-first-call.ts"
import { getCurrentSecond } from "../../sessions/session-facts.ts"
import type { Action, ActionContext } from "../action-context.ts"
import { verifyCsrfToken } from "../csrf.ts"
import { enforceAttemptLimits } from "../limits/enforce-limits.ts"
import { resetFactorAttempts } from "../limits/factor-attempts.ts"
import { resolveDestination } from "../resolve-callback-url.ts"
import { addFactor, isAddingAnother } from "./add-factor.ts"
import { completeFactor, redirectToSignIn } from "./complete-factor.ts"
import { showFactorPage } from "./factor-pages.ts"
import { type FactorSubject, findSubject } from "./factor-subject.ts"
import { trustDevice } from "./trusted-devices.ts"

const mail = loadOnFirstCall(() => import("../../flows/email/security-mail.ts"))

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
  if (!hasMainFactor(factors) || isAddingAnother(subject)) return addFactor(context, subject)
  if (request.method === "GET") return showFactorPage(context, subject, factors)
  return proveFactor(context, subject, factors)
}

/** Checks what the person typed. */
async function proveFactor(
  context: ActionContext,
  subject: FactorSubject,
  factors: readonly AdapterFactor[],
): Promise<ActionOutcome> {
  const { request, config } = context
  const { userId, kind } = subject
  const askAgain = (query: Record<string, string> = {}) =>
    redirectOutcome(subject.pageUrl, { ...query, ...getReturnQuery(subject) })
  const wanted = readTextField(request.body, "method") ?? request.query.get("method")
  const method = config.secondFactor?.methods.find(({ id }) => id === wanted)?.id
  if (!method) return askAgain()
  if (method === "email-codes" && readTextField(request.body, "send") !== undefined)
    return sendFactorCode(context, subject, factors)
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
  const next = await completeFactor(context, subject, method, keepDevice)
  // Back to the page, which now adds another factor.
  return subject.kind === "session" && subject.isAdding ? askAgain() : next
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
    const proven = factors.find(
      (factor) =>
        factor.method === "passkey" &&
        factor.userId === String(userId) &&
        base64ToBase64Url(factor.id) === base64ToBase64Url(providerAccountId),
    )
    if (proven) await recordPasskey(context, provider, identity.user, identity)
    return proven
  } catch (error) {
    if (!(error instanceof WebAuthnVerificationError)) throw error
    context.logger.error(error)
    return undefined
  }
}

/** Sends a code to the address of the user, and asks for it. */
async function sendFactorCode(
  context: ActionContext,
  subject: FactorSubject,
  factors: readonly AdapterFactor[],
): Promise<ActionOutcome> {
  const services = requireDatabase(context)
  await enforceAttemptLimits(context, "second-factor", subject.userId)
  const factor = factors.find(({ method }) => method === "email-codes")
  if (factor) {
    const { code, data } = createEmailCode(await openFactorData(services, factor))
    const { id, version } = factor
    const sealed = await sealFactorData(services, factor, data)
    // False if another request has just sent a code.
    if (await services.store.updateFactor({ id, version, data: sealed }))
      await mail.sendCode(context, String(data["address"]), code)
  }
  return redirectOutcome(subject.pageUrl, {
    method: "email-codes",
    sent: "true",
    ...getReturnQuery(subject),
  })
}

/** The page of a session learns from its URL where the person goes afterwards. */
const getReturnQuery = ({ kind, callbackUrl }: FactorSubject): Record<string, string> =>
  kind === "session" ? { callbackUrl } : {}
