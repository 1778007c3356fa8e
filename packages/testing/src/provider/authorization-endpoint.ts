import { AuthorizationResponse } from "./authorization-response.ts"
import { getSingleParameter, ProviderError, requireParameter } from "./provider-error.ts"
import { findAuthorizationResponseModifier } from "./provider-faults.ts"
import type { ProviderState } from "./provider-state.ts"
import { generateSecret } from "./provider-state.ts"
import type { ScriptedUser } from "./types.ts"

/** An error response of the authorization endpoint (RFC 6749 section 4.1.2.1). */
export interface AuthorizationErrorResponse {
  error: string
  error_description?: string
  error_uri?: string
}

export interface AuthorizationRequest {
  readonly redirectUri: string
  readonly state: string | undefined
  readonly isFormPost: boolean
  readonly scope: string
  readonly nonce: string | undefined
  readonly challenge: string | undefined
}

/** Approves a request as the user. @throws ProviderError if the request is wrong */
export function approveAuthorization(
  state: ProviderState,
  authorizationUrl: string | URL,
  user?: ScriptedUser,
): AuthorizationResponse {
  const { redirectUri, scope, nonce, challenge, ...request } = parseAuthorizationRequest(
    state,
    new URL(authorizationUrl),
  )
  const code = generateSecret(state, "code-")
  state.codes.set(code, { user: user ?? state.user, scope, redirectUri, nonce, challenge })
  return createAuthorizationResponse(
    state,
    { redirectUri, scope, nonce, challenge, ...request },
    { code },
  )
}

/** Denies a request as the user. @throws ProviderError if the request is wrong */
export function denyAuthorization(
  state: ProviderState,
  authorizationUrl: string | URL,
  errorResponse: AuthorizationErrorResponse,
): AuthorizationResponse {
  return createAuthorizationResponse(
    state,
    parseAuthorizationRequest(state, new URL(authorizationUrl)),
    { ...errorResponse },
  )
}

function createAuthorizationResponse(
  state: ProviderState,
  request: AuthorizationRequest,
  fields: Record<string, string>,
): AuthorizationResponse {
  if (request.state !== undefined) fields.state = request.state
  if (state.dialect !== "social") fields.iss = state.issuer
  const providerOrigin = new URL(state.issuer).origin
  const response = new AuthorizationResponse(
    request.redirectUri,
    fields,
    request.isFormPost,
    providerOrigin,
  )
  findAuthorizationResponseModifier(state.faults)?.(response.parameters)
  return response
}

/**
 * Parses an authorization request strictly (RFC 6749 section 4.1.1, RFC 7636 section 4.3).
 *
 * @throws ProviderError if the request is wrong
 */
export function parseAuthorizationRequest(state: ProviderState, url: URL): AuthorizationRequest {
  const query = url.searchParams
  state.authorizationRequests.push(new URLSearchParams(query))
  const endpoint = new URL(state.endpoints.authorize)
  assertValidRequest(
    url.origin + url.pathname === endpoint.href,
    `${url.href} is not the authorization endpoint`,
  )
  assertValidRequest(
    requireParameter(query, "response_type") === "code",
    "response_type is not code",
  )
  assertValidRequest(
    requireParameter(query, "client_id") === state.clientId,
    "client_id is unknown",
  )
  assertValidRequest(
    !query.has("request") && !query.has("request_uri"),
    "request objects are not supported",
  )
  const mode = getSingleParameter(query, "response_mode") ?? "query"
  assertValidRequest(
    mode === "query" || mode === "form_post",
    `response_mode ${mode} is not supported`,
  )
  return {
    redirectUri: validateRedirectUri(state, requireParameter(query, "redirect_uri")),
    state: getSingleParameter(query, "state"),
    isFormPost: mode === "form_post",
    scope: getSingleParameter(query, "scope") ?? "",
    nonce: getSingleParameter(query, "nonce"),
    challenge: readCodeChallenge(query),
  }
}

function validateRedirectUri({ redirectUris }: ProviderState, uri: string): string {
  assertValidRequest(
    URL.canParse(uri) && !uri.includes("#"),
    `redirect_uri ${uri} is not an absolute URL without fragment`,
  )
  const isRegistered = redirectUris?.includes(uri) ?? true
  assertValidRequest(isRegistered, `redirect_uri ${uri} is not registered`)
  return uri
}

function readCodeChallenge(query: URLSearchParams): string | undefined {
  const challenge = getSingleParameter(query, "code_challenge")
  if (challenge === undefined) return undefined
  assertValidRequest(
    getSingleParameter(query, "code_challenge_method") === "S256",
    "code_challenge_method is not S256",
  )
  assertValidRequest(/^[\w-]{43}$/.test(challenge), "code_challenge is not a SHA-256 in base64url")
  return challenge
}

function assertValidRequest(isValid: boolean, description: string): void {
  if (!isValid) throw new ProviderError("invalid_request", description)
}
