/** Starts the session of a sign-in, or raises the level of a session, after its second factor. */
import { findProvider } from "../../config/resolve-providers.ts"
import { type ActionOutcome, redirectOutcome } from "../../http/action-outcome.ts"
import type { FactorMethodId } from "../../latchkey-auth.ts"
import { getCurrentSecond } from "../../sessions/session-facts.ts"
import type { ActionContext } from "../action-context.ts"
import { finishSignIn } from "../sign-in/finish-sign-in.ts"
import type { FactorSubject } from "./factor-subject.ts"
import { endPendingSignIn, type PendingSignIn, restoreSignIn } from "./pending-sign-in.ts"

/**
 * Starts the session of a sign-in, or raises the level of a session. The second factor was just proven.
 *
 * @param beforeSession runs once: of several requests for a sign-in, for the one whose session begins. With false, none
 *   begins
 */
export async function completeFactor(
  context: ActionContext,
  subject: FactorSubject,
  factorMethod: FactorMethodId,
  beforeSession: () => Promise<boolean>,
): Promise<ActionOutcome> {
  const { request, sessions } = context
  if (subject.kind === "sign-in") {
    const { pending } = subject
    if (!(await endPendingSignIn(context, pending))) return redirectToSignIn(context)
    if (!(await beforeSession())) return redirectToSignIn(context)
    return completeSignIn(context, pending, factorMethod)
  }
  if (!(await beforeSession())) return redirectOutcome(subject.pageUrl)
  await sessions.addFactor(request, { factorTime: getCurrentSecond(), factorMethod })
  return redirectOutcome(subject.callbackUrl)
}

export const redirectToSignIn = (
  { request }: ActionContext,
  query: Record<string, string> = {},
): ActionOutcome => redirectOutcome(`${request.actionsUrl}/signin`, query)

/** Starts the session of a sign-in whose second factor was just proven. */
async function completeSignIn(
  context: ActionContext,
  pending: PendingSignIn,
  factorMethod: FactorMethodId,
): Promise<ActionOutcome> {
  const provider = findProvider(context.config, pending.provider)
  if (!provider) return redirectToSignIn(context)
  const result = await restoreSignIn(context, pending)
  return finishSignIn(context, {
    provider,
    result: { ...result, factorTime: getCurrentSecond(), factorMethod },
    callbackUrl: pending.callbackUrl,
    isLinking: false,
    attemptKeys: pending.attemptKeys,
  })
}
