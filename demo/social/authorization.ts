/** The authorization request of the social provider (RFC 6749 section 4.1.1, RFC 7636 section 4.3). */
import type { OAuthClient } from "../shared/client.ts"

/** A request that was checked. */
export interface AuthorizationRequest {
  readonly state: string
  readonly scope: string
  readonly challenge: string
}

/** What is the matter with a request; the text is for developers. */
export interface AuthorizationError {
  readonly error: string
  readonly description: string
  /** Whether the application may be told: not while its address is in doubt. */
  readonly isRedirectable: boolean
}

/** Checks a request. */
export function parseAuthorizationRequest(
  query: URLSearchParams,
  client: OAuthClient,
): AuthorizationRequest | AuthorizationError {
  if (query.get("client_id") !== client.id) {
    return createAuthorizationError(
      "invalid_client",
      "Nobody has registered this client_id.",
      false,
    )
  }
  if (query.get("redirect_uri") !== client.redirectUri) {
    return createAuthorizationError(
      "invalid_request",
      "The redirect_uri is not the registered one.",
      false,
    )
  }
  if (query.get("response_type") !== "code") {
    return createAuthorizationError(
      "unsupported_response_type",
      "The response_type must be code.",
      true,
    )
  }
  const challenge = query.get("code_challenge") ?? ""
  if (query.get("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(challenge)) {
    return createAuthorizationError(
      "invalid_request",
      "A code_challenge of method S256 is required.",
      true,
    )
  }
  return { state: query.get("state") ?? "", scope: query.get("scope") ?? "", challenge }
}

function createAuthorizationError(
  error: string,
  description: string,
  isRedirectable: boolean,
): AuthorizationError {
  return { error, description, isRedirectable }
}

/** The way back to the application, with the answer. */
export function createRedirectUrl(
  client: OAuthClient,
  parameters: Readonly<Record<string, string>>,
): string {
  const url = new URL(client.redirectUri)
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== "") url.searchParams.set(name, value)
  }
  return url.href
}
