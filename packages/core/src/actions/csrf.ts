/** `GET csrf`: the token for a form that the application makes itself. */
import { type ActionOutcome, jsonOutcome } from "../http/action-outcome.ts"
import { ensureCsrfToken } from "./csrf-protection.ts"
import type { Action } from "./services.ts"

export const csrfAction: Action = async (request, services): Promise<ActionOutcome> => {
  const token = await ensureCsrfToken(request, services, "session")
  if (token !== undefined) return jsonOutcome({ csrfToken: token })
  services.logger.warn("csrf-disabled")
  request.jar.delete(request.cookieDefinitions.csrfToken)
  return { kind: "empty", status: 404 }
}
