/** The authorization request of the social provider (RFC 6749 section 4.1.1, RFC 7636 section 4.3). */
import type { Client } from "../shared/client.ts"

/** A request that was checked. */
export interface AuthorizationRequest {
  readonly state: string
  readonly scope: string
  readonly challenge: string
}

/** What is the matter with a request; the text is for developers. */
export interface Refusal {
  readonly error: string
  readonly description: string
  /** Whether the application may be told: not while its address is in doubt. */
  readonly tell: boolean
}

/** Checks a request. */
export function readRequest(
  query: URLSearchParams,
  client: Client,
): AuthorizationRequest | Refusal {
  if (query.get("client_id") !== client.id) {
    return refusal("invalid_client", "Nobody has registered this client_id.", false)
  }
  if (query.get("redirect_uri") !== client.redirectUri) {
    return refusal("invalid_request", "The redirect_uri is not the registered one.", false)
  }
  if (query.get("response_type") !== "code") {
    return refusal("unsupported_response_type", "The response_type must be code.", true)
  }
  const challenge = query.get("code_challenge") ?? ""
  if (query.get("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(challenge)) {
    return refusal("invalid_request", "A code_challenge of method S256 is required.", true)
  }
  return { state: query.get("state") ?? "", scope: query.get("scope") ?? "", challenge }
}

function refusal(error: string, description: string, tell: boolean): Refusal {
  return { error, description, tell }
}

/** The way back to the application, with the answer. */
export function answerUrl(client: Client, answer: Readonly<Record<string, string>>): string {
  const url = new URL(client.redirectUri)
  for (const [name, value] of Object.entries(answer)) {
    if (value !== "") url.searchParams.set(name, value)
  }
  return url.href
}
