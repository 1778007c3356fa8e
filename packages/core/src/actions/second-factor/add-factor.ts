/**
 * Adds a factor: the first one of a user who must have one before the session begins, or of one who is signed in; and other
 * ones of those who have proven theirs in the session.
 */

import type { FactorData } from "../../config/second-factor-options.ts"
import { requireDatabase } from "../../config/stored-accounts.ts"
import { maskAddress } from "../../flows/second-factor/email-codes.ts"
import type { ActionOutcome } from "../../http/action-outcome.ts"
import { readTextField } from "../../http/request-body.ts"
import {
  addMainFactor,
  createAppSetup,
  createEmailCodesSetup,
  findCodeAddress,
  openAppSetup,
  openEmailCodesSetup,
  verifyAppSetup,
  verifyEmailCodesSetup,
} from "../../identity/factors.ts"
import { defaultMaxAge } from "../../identity/fresh-session.ts"
import { getCurrentSecond, isRecent } from "../../sessions/session-facts.ts"
import type { ActionContext } from "../action-context.ts"
import { enforceAttemptLimits } from "../limits/enforce-limits.ts"
import { completeFactor, redirectToSignIn } from "./complete-factor.ts"
import { showEmailSetupPage, showRecoveryCodes, showSetupPage } from "./factor-pages.ts"
import type { FactorSubject } from "./factor-subject.ts"

export async function addFactor(
  context: ActionContext,
  subject: FactorSubject,
): Promise<ActionOutcome> {
  const { request } = context
  const { userId, callbackUrl } = subject
  // Somebody has removed the factors that the sign-in waited for.
  if (subject.kind === "sign-in" && !subject.pending.isEnrolment) return redirectToSignIn(context)
  if (subject.kind === "session" && !isFresh(subject))
    return redirectToSignIn(context, { prompt: "login", callbackUrl })
  const address = await findCodeAddress(requireDatabase(context), userId)
  const wanted = readTextField(request.body, "method") ?? request.query.get("method")
  return wanted === "email-codes" && address
    ? addEmailCodes(context, subject, address)
    : addApp(context, subject, address !== undefined)
}

/** Whether the user of a session authenticated recently enough to add a factor. */
function isFresh({ facts }: FactorSubject & { readonly kind: "session" }): boolean {
  const { authTime, createdAt = Number.NaN } = facts
  return isRecent(getCurrentSecond() - (authTime ?? createdAt), defaultMaxAge)
}

/** Whether a session adds a factor to those of its user, one of which it has proven in the last ten minutes. */
export const isAddingAnother = (subject: FactorSubject): boolean =>
  subject.kind === "session" &&
  subject.isAdding &&
  subject.facts.factorTime !== undefined &&
  isRecent(getCurrentSecond() - subject.facts.factorTime, defaultMaxAge)

async function addApp(
  context: ActionContext,
  subject: FactorSubject,
  hasEmailCodes: boolean,
): Promise<ActionOutcome> {
  const { request } = context
  const { userId } = subject
  const services = requireDatabase(context)
  const sent = readTextField(request.body, "setup")
  const setup = sent === undefined ? undefined : await openAppSetup(services, userId, sent)
  if (request.method === "GET" || !setup) {
    const newSetup = await createAppSetup(services, userId)
    return showSetupPage(context, subject, { setup: newSetup, hasEmailCodes, isIncorrect: false })
  }
  const data = await verifyAppSetup(services, setup, readTextField(request.body, "code") ?? "")
  if (!data) return showSetupPage(context, subject, { setup, hasEmailCodes, isIncorrect: true })
  return completeEnrolment(context, subject, "totp", setup, data)
}

/** Asks whether to send a code, and for the code that was sent. */
async function addEmailCodes(
  context: ActionContext,
  subject: FactorSubject,
  address: string,
): Promise<ActionOutcome> {
  const { request } = context
  const { userId } = subject
  const page = { address: maskAddress(address), isIncorrect: false }
  if (request.method === "GET") return showEmailSetupPage(context, subject, page)
  await enforceAttemptLimits(context, "second-factor", userId)
  const services = requireDatabase(context)
  const sent = readTextField(request.body, "setup")
  const setup = sent === undefined ? undefined : await openEmailCodesSetup(services, userId, sent)
  if (!setup) {
    const created = await createEmailCodesSetup(services, userId)
    return showEmailSetupPage(context, subject, { ...page, setup: created?.setup })
  }
  const code = readTextField(request.body, "code") ?? ""
  const data = await verifyEmailCodesSetup(services, setup, code)
  if (!data)
    return showEmailSetupPage(context, subject, { ...page, setup: setup.setup, isIncorrect: true })
  return completeEnrolment(context, subject, "email-codes", setup, data)
}

/** Adds the factor, and shows the recovery codes before the browser goes on. */
async function completeEnrolment(
  context: ActionContext,
  subject: FactorSubject,
  method: "totp" | "email-codes",
  setup: { readonly factorId: string },
  data: FactorData,
): Promise<ActionOutcome> {
  const services = requireDatabase(context)
  let codes: readonly string[] | undefined
  const next = await completeFactor(context, subject, method, async () => {
    const isFirst = !isAddingAnother(subject)
    const added = await addMainFactor(services, subject.userId, method, setup, data, isFirst)
    codes = added.kind === "added" ? added.recoveryCodes : undefined
    return added.kind !== "refused"
  })
  return next.kind === "redirect" && codes ? showRecoveryCodes(context, codes, next.to) : next
}
