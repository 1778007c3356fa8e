/** `GET csrf`: returns the token for the application's own forms. */
import { jsonOutcome } from "../http/action-outcome.ts"
import { ensureCsrfToken } from "./csrf-protection.ts"
import type { Action } from "./services.ts"

export const csrfAction: Action = async (request, services) => {
  const csrfToken = await ensureCsrfToken(request, services, "session")
  if (csrfToken !== undefined) return jsonOutcome({ csrfToken })
  services.logger.warn("csrf-disabled")
  request.jar.delete(request.cookieDefinitions.csrfToken)
  return { kind: "empty", status: 404 }
}
