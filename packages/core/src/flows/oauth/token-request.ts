/** The token request, and its response (RFC 6749 sections 4.1.3 and 5). */
import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  clockTolerance,
  customFetch,
  expectNoNonce,
  getValidatedIdTokenClaims,
  type IDToken,
  nopkce,
  processAuthorizationCodeResponse,
} from "oauth4webapi"
import { omitUndefined, parseJsonObject } from "../../objects.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { TokenSet } from "../../types.ts"
import { createClientAuth } from "./client-auth.ts"
import { computeExpiresAt } from "./expires-at.ts"
import { getClockTolerance, omitNullClaims, resolveIssuer } from "./id-token.ts"
import type { ProviderClient } from "./oauth-context.ts"
import {
  createMissingAccessTokenError,
  createTokenError,
  explainClaimError,
} from "./provider-error.ts"

/** Creates the client as the protocol library expects it. */
export function createOAuthClient(provider: ResolvedOAuthProvider): Client {
  return {
    ...provider.client,
    client_id: provider.clientId,
    [clockTolerance]: getClockTolerance(provider),
  }
}

/**
 * Exchanges the code for tokens. The protocol library verifies issuer, audience, expiry and nonce of the ID token,
 * whose claims are returned; `verifyIdToken` verifies the rest.
 */
export async function exchangeCode(
  providerClient: ProviderClient,
  callbackParameters: URLSearchParams,
): Promise<{ tokens: TokenSet; idTokenClaims: IDToken | undefined }> {
  const { provider, server, transaction, fetch } = providerClient
  const { redirectUri, codeVerifier, nonce } = transaction
  const client = createOAuthClient(provider)
  const rawResponse = await authorizationCodeGrantRequest(
    server,
    client,
    await createClientAuth(providerClient),
    callbackParameters,
    redirectUri,
    codeVerifier ?? nopkce,
    { [customFetch]: fetch, [allowInsecureRequests]: true }, // `fetch` checks the transport
  )
  const { status, body, sanitizedResponse } = await readTokenResponse(provider, rawResponse)
  if (!sanitizedResponse) throw createTokenError(providerClient, status, body)
  const isOidc = provider.type === "oidc"
  const needsAccessToken = !isOidc || !provider.usesIdToken
  if (needsAccessToken && body && body["access_token"] === undefined)
    throw createMissingAccessTokenError(provider.id)
  const id_token = body?.["id_token"]
  const response = await processAuthorizationCodeResponse(
    { ...server, issuer: resolveIssuer(provider, server, id_token) },
    client,
    sanitizedResponse,
    isOidc ? { expectedNonce: nonce ?? expectNoNonce, requireIdToken: true } : {},
  ).catch((error) => {
    throw explainClaimError(providerClient, error)
  })
  // Without OpenID Connect, an ID token is stored, but its claims are not used.
  const tokens = restoreTokens(response, body)
  return { tokens, idTokenClaims: getValidatedIdTokenClaims(response) }
}

/** A response of the token endpoint. `sanitizedResponse` is for the protocol library, undefined if there are no tokens. */
interface TokenResponse {
  readonly status: number
  readonly body: Record<string, unknown> | undefined
  readonly sanitizedResponse: Response | undefined
}

/** Reads a response of the token endpoint, and repairs what providers are known to get wrong. */
export async function readTokenResponse(
  provider: ResolvedOAuthProvider,
  rawResponse: Response,
): Promise<TokenResponse> {
  const fixedResponse = (await provider.token.conform?.(rawResponse.clone())) ?? rawResponse
  const { status, headers } = fixedResponse
  const text = await fixedResponse.text()
  const parsed = parseJsonObject(text)
  const body = parsed && omitAbsent(parsed)
  if (status !== 200 || body?.["error"] !== undefined)
    return { status, body, sanitizedResponse: undefined }
  const { access_token, id_token } = body ?? {}
  // Without an access token, the lifetime would be taken for that of an older one.
  const lifetime: Record<string, unknown> = access_token === undefined ? {} : { ...body }
  const { expires_in, expires_at } = lifetime
  const isOidc = provider.type === "oidc"
  const expiresAt = computeExpiresAt(expires_in)
  const isReported = Number.isSafeInteger(expires_at) && Number(expires_at) > 0
  // Undefined members are left out: the protocol library would reject a usable response because of them.
  const sanitizedBody = omitUndefined({
    token_type: "bearer",
    // Some providers issue no access token without a scope of an API, and the protocol library requires one.
    ...(isOidc && typeof id_token === "string" ? { access_token: "none" } : {}),
    ...body,
    expires_in: expiresAt && Number(expires_in),
    expires_at: expiresAt ?? (isReported ? expires_at : undefined),
    id_token: isOidc ? omitNullClaims(id_token) : undefined,
  })
  const sanitizedText = body ? JSON.stringify(sanitizedBody) : text
  const sanitizedResponse = new Response(sanitizedText, { status, headers })
  return { status, body, sanitizedResponse }
}

/** Returns the tokens of a response as the provider sent them. */
export function restoreTokens(response: object, body: TokenResponse["body"]): TokenSet {
  const { access_token, id_token } = body ?? {}
  const idToken = typeof id_token === "string" ? { id_token } : {}
  return omitUndefined({ ...response, access_token, ...idToken }) as TokenSet
}

/** Returns the members that have a value. RFC 6749 section 5.1 knows neither null nor a list of scopes. */
function omitAbsent({ scope, error, ...others }: Record<string, unknown>): Record<string, unknown> {
  const scopes = Array.isArray(scope) ? scope.join(" ") : scope
  const members = Object.entries({ ...others, scope: scopes, error: error || undefined })
  return Object.fromEntries(members.filter(([, value]) => value !== null && value !== ""))
}
