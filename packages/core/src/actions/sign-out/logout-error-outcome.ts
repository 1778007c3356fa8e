import { isOutage } from "../../errors/classify-error.ts"
import { InvalidLogoutToken, InvalidProvider, UnknownAction } from "../../errors.ts"
import { type ActionOutcome, jsonOutcome } from "../../http/action-outcome.ts"
import type { ActionContext } from "../action-context.ts"
import { createUnknownActionOutcome } from "../errors/unknown-action-outcome.ts"

/** Returns the outcome for a provider whose request failed, in the words of RFC 6749. It may try again after 5xx. */
export async function createLogoutErrorOutcome(
  error: unknown,
  context: ActionContext,
): Promise<ActionOutcome> {
  const { request } = context
  if (error instanceof UnknownAction || error instanceof InvalidProvider)
    return createUnknownActionOutcome(error, request, request.url, context)
  if (error instanceof InvalidLogoutToken) {
    const error_description = `Expected ${error.cause?.["expected"]}.`
    return jsonOutcome({ error: "invalid_request", error_description }, 400)
  }
  return isOutage(error)
    ? jsonOutcome({ error: "temporarily_unavailable" }, 503)
    : jsonOutcome({ error: "server_error" }, 500)
}
