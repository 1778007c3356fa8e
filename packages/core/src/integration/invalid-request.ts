/** The answer to a request that never gets as far as an action. */
import type { InvalidRequest } from "../errors.ts"
import type { PlainResponse } from "../http/plain-response.ts"

/** Tells a client what its request should have been. */
export function createInvalidRequestResponse({ message, status }: InvalidRequest): PlainResponse {
  return {
    status,
    headers: { "content-type": "application/json" },
    setCookieLines: [],
    body: JSON.stringify({ message }),
  }
}
