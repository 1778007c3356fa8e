/** The answer to a request that never gets as far as an action. */
import type { InvalidRequest } from "../errors.ts"
import type { Answer } from "../http/respond.ts"

/** Tells a client what its request should have been. */
export function refusalOf({ message, status }: InvalidRequest): Answer {
  return {
    status,
    headers: { "content-type": "application/json" },
    cookies: [],
    body: JSON.stringify({ message }),
  }
}
