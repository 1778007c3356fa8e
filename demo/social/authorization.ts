/** The authorization request of the social provider (RFC 6749 section 4.1.1, RFC 7636 section 4.3). */
import type { OAuthClient } from "../shared/client.ts"

export interface AuthorizationRequest {
  readonly state: string
  readonly scope: string
  readonly challenge: string
}

/** The error of a request, with a description for developers. */
export interface AuthorizationError {
  readonly error: string
  readonly description: string
  /** Whether the error is sent to the application. False if its redirect URI is not valid. */
  readonly isRedirectable: boolean
}

/** Validates a request. */
export function parseAuthorizationRequest(
  query: URLSearchParams,
  client: OAuthClient,
): AuthorizationRequest | AuthorizationError {
  if (query.get("client_id") !== client.id) {
    return createAuthorizationError("invalid_client", "This client_id is not registered.", false)
  }
  if (query.get("redirect_uri") !== client.redirectUri) {
    return createAuthorizationError(
      "invalid_request",
      "This redirect_uri is not registered.",
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

/** Returns the redirect URI with the response parameters. */
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
