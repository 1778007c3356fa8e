import type { InvalidRequest } from "../errors.ts"
import type { PlainResponse } from "../http/plain-response.ts"

/** Creates the response to a request that cannot be assigned to an action. */
export function createInvalidRequestResponse({ message, status }: InvalidRequest): PlainResponse {
  return {
    status,
    headers: { "content-type": "application/json" },
    setCookieLines: [],
    body: JSON.stringify({ message }),
  }
}
