/** `GET csrf`: the token for a form that the application makes itself. */
import { json, type Outcome } from "../http/outcome.ts"
import { csrfToken } from "./csrf-guard.ts"
import type { Action } from "./services.ts"

export const csrf: Action = async (exchange, services): Promise<Outcome> => {
  const token = await csrfToken(exchange, services, "session")
  if (token !== undefined) return json({ csrfToken: token })
  services.config.log.warn("csrf-disabled")
  exchange.jar.delete(exchange.table.csrfToken)
  return { kind: "empty", status: 404 }
}
