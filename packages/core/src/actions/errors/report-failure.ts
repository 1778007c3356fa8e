/** Reports requests that were refused, or failed, as security events. */

import { reportSecurityEvent } from "../../config/report-security-event.ts"
import { findProvider } from "../../config/resolve-providers.ts"
import { AuthError, isClientError, MissingCSRF, TooManyRequests } from "../../errors.ts"
import { omitUndefined } from "../../objects.ts"
import type { AuthAction } from "../../types.ts"
import type { ActionContext } from "../action-context.ts"

const signInActions: ReadonlySet<AuthAction> = new Set(["signin", "callback", "webauthn-options"])

/** Reports the error of a request. */
export async function reportFailure(error: unknown, context: ActionContext): Promise<void> {
  const { request, config } = context
  const { action, providerId } = request
  const attempt = omitUndefined({ provider: findProvider(config, providerId)?.id })
  if (error instanceof TooManyRequests) {
    const limited = String(error.cause?.["action"] ?? action)
    return reportSecurityEvent(context, "limit-reached", { ...attempt, action: limited }, request)
  }
  if (error instanceof MissingCSRF)
    return reportSecurityEvent(context, "csrf-refused", attempt, request)
  if (!signInActions.has(action)) return
  const type = isClientError(error) ? "sign-in-refused" : "sign-in-failed"
  const reason = error instanceof AuthError ? error.type : "Error"
  await reportSecurityEvent(context, type, { ...attempt, reason }, request)
}
