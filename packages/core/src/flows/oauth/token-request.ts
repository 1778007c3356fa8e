/** The token request and its answer (RFC 6749 sections 4.1.3 and 5). */
import {
  type AuthorizationServer,
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
import type { ProviderFetch } from "../../http/provider-fetch.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { TokenSet } from "../../types.ts"
import { createClientAuth } from "./client-auth.ts"
import { resolveIssuer } from "./tenant-issuer.ts"
import type { OAuthTransaction } from "./transaction.ts"

/** Differences between clocks that are forgiven, in seconds. */
export const maxClockSkew = 30

/** The client as the protocol library knows it. */
export function createOAuthClient(provider: ResolvedOAuthProvider): Client {
  return { ...provider.client, client_id: provider.clientId, [clockTolerance]: maxClockSkew }
}

/** A validated answer: the tokens, and the body that the ID token's claims are found under. */
export interface ValidatedTokenResponse {
  readonly tokens: TokenSet
  readonly response: TokenEndpointResponse
}

/** Exchanges the code for tokens. Everything but the signature of the ID token has been checked. */
export async function exchangeCode(
  provider: ResolvedOAuthProvider,
  server: AuthorizationServer,
  callbackParameters: URLSearchParams,
  transaction: OAuthTransaction,
  providerFetch: ProviderFetch,
): Promise<ValidatedTokenResponse> {
  const client = createOAuthClient(provider)
  const response = await authorizationCodeGrantRequest(
    server,
    client,
    createClientAuth(provider),
    callbackParameters,
    transaction.redirectUri,
    transaction.codeVerifier ?? nopkce,
    { [customFetch]: providerFetch, [allowInsecureRequests]: true }, // `ask` checks the transport
  )
  const fixedResponse = (await provider.token.conform?.(response.clone())) ?? response
  const sanitized = await sanitizeTokenResponse(fixedResponse, provider)
  const isOidc = provider.type === "oidc"
  const serverWithIssuer = {
    ...server,
    issuer: await resolveIssuer(provider, server, sanitized.response),
  }
  const validated = await processAuthorizationCodeResponse(
    serverWithIssuer,
    client,
    sanitized.response,
    {
      ...(isOidc ? { expectedNonce: transaction.nonce ?? expectNoNonce } : {}),
      requireIdToken: isOidc,
    },
  )
  return { tokens: createTokenSet(validated, sanitized.unverifiedIdToken), response: validated }
}

interface SanitizedTokenResponse {
  readonly response: Response
  readonly unverifiedIdToken: string | undefined
}

/** Sets aside what the protocol library would reject a usable answer for. */
async function sanitizeTokenResponse(
  response: Response,
  provider: ResolvedOAuthProvider,
): Promise<SanitizedTokenResponse> {
  const { status, headers } = response
  const text = await response.text()
  const rebuildResponse = (body: string): Response => new Response(body, { status, headers })
  const body = parseJsonObject(text)
  if (!body || status !== 200)
    return { response: rebuildResponse(text), unverifiedIdToken: undefined }
  if (body["error"] !== undefined) {
    throw new OAuthCallbackError("The provider answered the token request with an error.", {
      provider: provider.id,
      error: body["error"],
      error_description: body["error_description"],
    })
  }
  const { id_token, expires_in, ...rest } = body
  const seconds = Number(typeof expires_in === "string" ? expires_in.trim() || "x" : expires_in)
  const isPositive = ["number", "string"].includes(typeof expires_in) && seconds > 0
  const hasLifetime = isPositive && Number.isFinite(seconds) && seconds < 1e10
  const cleanBody = { ...rest, ...(hasLifetime ? { expires_in: seconds } : {}) }
  // Without OpenID Connect nobody vouches for an ID token: it is kept, and says nothing.
  if (provider.type === "oidc") {
    return {
      response: rebuildResponse(JSON.stringify({ ...cleanBody, id_token })),
      unverifiedIdToken: undefined,
    }
  }
  const unverifiedIdToken = typeof id_token === "string" ? id_token : undefined
  return { response: rebuildResponse(JSON.stringify(cleanBody)), unverifiedIdToken }
}

function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === "object" && body !== null && !Array.isArray(body)
      ? { ...body }
      : undefined
  } catch {
    return undefined // the protocol library says what is wrong with it
  }
}

function createTokenSet(validated: TokenEndpointResponse, idToken: string | undefined): TokenSet {
  const { expires_in } = validated
  const tokens = { ...validated, token_type: validated.token_type.toLowerCase() } as TokenSet
  const { expires_at, ...rest } = tokens
  return {
    ...rest,
    ...(idToken === undefined ? {} : { id_token: idToken }),
    ...resolveExpiresAt(expires_in, expires_at),
  }
}

/** In whole seconds since 1970: calculated, or as the provider says. */
function resolveExpiresAt(
  expiresIn: number | undefined,
  reportedExpiresAt: unknown,
): Pick<TokenSet, "expires_at"> {
  if (expiresIn) return { expires_at: Math.floor(Date.now() / 1000 + expiresIn) }
  return typeof reportedExpiresAt === "number" &&
    Number.isSafeInteger(reportedExpiresAt) &&
    reportedExpiresAt > 0
    ? { expires_at: reportedExpiresAt }
    : {}
}
