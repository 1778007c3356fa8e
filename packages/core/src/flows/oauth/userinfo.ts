/** What the provider says of the person. */
import { jwtVerify } from "jose"
import {
  type AuthorizationServer,
  allowInsecureRequests,
  customFetch,
  processUserInfoResponse,
  userInfoRequest,
} from "oauth4webapi"
import { OAuthCallbackError } from "../../errors.ts"
import type { ProviderFetch } from "../../http/provider-fetch.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { TokenSet } from "../../types.ts"
import type { ProviderMetadata } from "./provider-metadata.ts"
import { createOAuthClient, maxClockSkew } from "./token-request.ts"

type Claims = Record<string, unknown>

/**
 * Asks the userinfo endpoint of an OpenID Connect provider (OIDC Core 5.3).
 *
 * @param subject `sub` of the ID token, which the answer must have too
 */
export async function fetchUserInfo(
  provider: ResolvedOAuthProvider,
  server: AuthorizationServer,
  metadata: ProviderMetadata,
  accessToken: string,
  subject: string,
  providerFetch: ProviderFetch,
): Promise<Claims> {
  const client = createOAuthClient(provider)
  const options = { [customFetch]: providerFetch, [allowInsecureRequests]: true } as const
  const rawResponse = await userInfoRequest(server, client, accessToken, options)
  const response = (await provider.userinfo.conform?.(rawResponse.clone())) ?? rawResponse
  if (/^application\/jwt\b/i.test(response.headers.get("content-type") ?? "")) {
    if (response.status !== 200) throw createUserInfoError(provider.id, response.status)
    // OIDC Core 5.3.2: a signed answer names its issuer and its audience.
    const verified = await jwtVerify(await response.text(), await metadata.getKeys(), {
      issuer: server.issuer,
      audience: provider.clientId,
      clockTolerance: maxClockSkew,
    })
    if (verified.payload.sub !== subject) throw createUserInfoError(provider.id)
    return verified.payload
  }
  return processUserInfoResponse(server, client, subject, response)
}

/** Asks an OAuth 2 provider who the access token belongs to. */
export async function fetchProfile(
  provider: ResolvedOAuthProvider,
  server: AuthorizationServer,
  tokens: TokenSet,
  providerFetch: ProviderFetch,
): Promise<Claims> {
  const { request, conform } = provider.userinfo
  if (request) {
    return assertClaims(
      await request({
        tokens,
        provider: createRequestProvider(provider, server),
        fetch: providerFetch,
      }),
      provider.id,
    )
  }
  const url = server.userinfo_endpoint
  if (!url) throw new TypeError(`Provider ${provider.id} has no userinfo endpoint`)
  const headers = {
    authorization: `Bearer ${tokens.access_token}`,
    accept: "application/json, application/jwt",
    "user-agent": "latchkey",
  }
  const rawResponse = await providerFetch(url, { headers })
  const response = (await conform?.(rawResponse.clone())) ?? rawResponse
  if (!response.ok) throw createUserInfoError(provider.id, response.status)
  return assertClaims(await response.json(), provider.id)
}

/** The provider as such functions expect it: with its endpoints as objects. */
function createRequestProvider(
  provider: ResolvedOAuthProvider,
  server: AuthorizationServer,
): Claims {
  const endpoint = (url: string | undefined) => ({ url: url === undefined ? url : new URL(url) })
  return {
    ...provider.definition,
    authorization: endpoint(server.authorization_endpoint),
    token: endpoint(server.token_endpoint),
    userinfo: { ...provider.userinfo, ...endpoint(server.userinfo_endpoint) },
  }
}

function assertClaims(value: unknown, provider: string): Claims {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw createUserInfoError(provider)
  return { ...value }
}

function createUserInfoError(provider: string, status?: number): OAuthCallbackError {
  return new OAuthCallbackError({
    provider,
    expected: "the userinfo endpoint to describe the person that the tokens are for",
    ...(status === undefined ? {} : { status }),
  })
}
