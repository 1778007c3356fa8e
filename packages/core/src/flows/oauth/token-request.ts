/** The token request and its response (RFC 6749 sections 4.1.3 and 5). */
import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  clockTolerance,
  customFetch,
  expectNoNonce,
  nopkce,
  processAuthorizationCodeResponse,
  type TokenEndpointResponse,
} from "oauth4webapi"
import { OAuthCallbackError } from "../../errors.ts"
import { parseJsonObject } from "../../objects.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { TokenSet } from "../../types.ts"
import { createClientAuth } from "./client-auth.ts"
import { maxClockSkew } from "./id-token.ts"
import type { ProviderClient } from "./provider-metadata.ts"
import { resolveIssuer } from "./tenant-issuer.ts"
import type { OAuthTransaction } from "./transaction.ts"

/** Creates the client as the protocol library expects it. */
export function createOAuthClient(provider: ResolvedOAuthProvider): Client {
  return { ...provider.client, client_id: provider.clientId, [clockTolerance]: maxClockSkew }
}

/** A validated token response: the tokens, and the body under which the library keeps the claims of the ID token. */
export interface ValidatedTokenResponse {
  readonly tokens: TokenSet
  readonly response: TokenEndpointResponse
}

/** Exchanges the code for tokens, and checks everything but the signature of the ID token. */
export async function exchangeCode(
  { provider, server, fetch }: ProviderClient,
  callbackParameters: URLSearchParams,
  { redirectUri, codeVerifier, nonce }: OAuthTransaction,
): Promise<ValidatedTokenResponse> {
  const client = createOAuthClient(provider)
  const rawResponse = await authorizationCodeGrantRequest(
    server,
    client,
    createClientAuth(provider),
    callbackParameters,
    redirectUri,
    codeVerifier ?? nopkce,
    { [customFetch]: fetch, [allowInsecureRequests]: true }, // `fetch` checks the transport
  )
  const fixedResponse = (await provider.token.conform?.(rawResponse.clone())) ?? rawResponse
  const { status, headers } = fixedResponse
  const text = await fixedResponse.text()
  const body = status === 200 ? parseJsonObject(text) : undefined
  if (body?.["error"] !== undefined) {
    const { error, error_description } = body
    const message = "The provider responded to the token request with an error."
    throw new OAuthCallbackError(message, { provider: provider.id, error, error_description })
  }
  const isOidc = provider.type === "oidc"
  const sanitizedText = body ? JSON.stringify(sanitizeTokens(body, isOidc)) : text
  const response = await processAuthorizationCodeResponse(
    { ...server, issuer: resolveIssuer(provider, server, body?.["id_token"]) },
    client,
    new Response(sanitizedText, { status, headers }),
    {
      ...(isOidc ? { expectedNonce: nonce ?? expectNoNonce } : {}),
      requireIdToken: isOidc,
    },
  )
  return { tokens: createTokenSet(response, isOidc ? undefined : body?.["id_token"]), response }
}

/** Leaves out members for which the protocol library would reject a usable response. */
function sanitizeTokens(body: Record<string, unknown>, isOidc: boolean): object {
  const { id_token, expires_in, ...rest } = body
  const seconds = Number(typeof expires_in === "string" ? expires_in.trim() || "x" : expires_in)
  const isNumeric = typeof expires_in === "number" || typeof expires_in === "string"
  const isLifetime = isNumeric && seconds > 0 && seconds < 1e10
  // `JSON.stringify` leaves out what is undefined.
  return {
    ...rest,
    expires_in: isLifetime ? seconds : undefined,
    id_token: isOidc ? id_token : undefined,
  }
}

/** @param unverifiedIdToken an ID token without OpenID Connect: it is stored, but its claims are not used */
function createTokenSet(response: TokenEndpointResponse, unverifiedIdToken: unknown): TokenSet {
  const { expires_at, ...rest } = response
  return {
    ...rest,
    token_type: response.token_type.toLowerCase(),
    ...(typeof unverifiedIdToken === "string" ? { id_token: unverifiedIdToken } : {}),
    ...resolveExpiresAt(response.expires_in, expires_at),
  } as TokenSet
}

/** Returns the expiry in whole seconds since 1970: calculated, or as the provider says. */
function resolveExpiresAt(
  expiresIn: number | undefined,
  reported: unknown,
): Pick<TokenSet, "expires_at"> {
  if (expiresIn) return { expires_at: Math.floor(Date.now() / 1000 + expiresIn) }
  return Number.isSafeInteger(reported) && Number(reported) > 0
    ? { expires_at: Number(reported) }
    : {}
}
