/** Fetches the claims of the user from the provider. */
import { jwtVerify } from "jose"
import {
  allowInsecureRequests,
  customFetch,
  processUserInfoResponse,
  userInfoRequest,
} from "oauth4webapi"
import { OAuthCallbackError } from "../../errors.ts"
import { isObject, omitUndefined } from "../../objects.ts"
import type { TokenSet } from "../../types.ts"
import { maxProviderClockSkew } from "./id-token.ts"
import type { ProviderClient } from "./oauth-context.ts"
import { getProviderKeys } from "./provider-keys.ts"
import { createOAuthClient } from "./token-request.ts"

export type Claims = Record<string, unknown>

/**
 * Requests the userinfo endpoint of an OpenID Connect provider (OIDC Core 5.3).
 *
 * @param subject `sub` of the ID token, which the response must repeat
 */
export async function fetchUserInfo(
  { provider, server, fetch }: ProviderClient,
  { access_token = "" }: TokenSet,
  subject: string,
): Promise<Claims> {
  const client = createOAuthClient(provider)
  const options = { [customFetch]: fetch, [allowInsecureRequests]: true } as const
  const rawResponse = await userInfoRequest(server, client, access_token, options)
  const response = (await provider.userinfo.conform?.(rawResponse.clone())) ?? rawResponse
  if (!/^application\/jwt\b/i.test(response.headers.get("content-type") ?? "")) {
    return processUserInfoResponse(server, client, subject, response)
  }
  if (response.status !== 200) throw createUserInfoError(provider.id, response.status)
  // OIDC Core 5.3.2: a signed response names its issuer and its audience.
  const { issuer } = server
  const expected = {
    issuer,
    audience: provider.clientId,
    subject,
    clockTolerance: maxProviderClockSkew,
  }
  const { getKey } = getProviderKeys(provider, server)
  return (await jwtVerify(await response.text(), getKey, expected)).payload
}

/** Requests the owner of the access token from an OAuth 2 provider. */
export async function fetchProfile(client: ProviderClient, tokens: TokenSet): Promise<Claims> {
  const { provider, fetch } = client
  const { request } = provider.userinfo
  const claims: unknown = request
    ? await request({ tokens, provider: createRequestProvider(client), fetch })
    : await requestProfile(client, tokens)
  if (isObject(claims)) return { ...claims }
  throw createUserInfoError(provider.id)
}

async function requestProfile(
  { provider, server, fetch }: ProviderClient,
  { access_token }: TokenSet,
): Promise<unknown> {
  const url = server.userinfo_endpoint
  if (!url) throw new TypeError(`Provider ${provider.id} has no userinfo endpoint`)
  const headers = {
    authorization: `Bearer ${access_token}`,
    accept: "application/json, application/jwt",
    "user-agent": "latchkey",
  }
  const rawResponse = await fetch(url, { headers })
  const response = (await provider.userinfo.conform?.(rawResponse.clone())) ?? rawResponse
  if (!response.ok) throw createUserInfoError(provider.id, response.status)
  return response.json()
}

/** Creates the provider as `userinfo.request` expects it: with its endpoints as objects. */
function createRequestProvider({ provider, server }: ProviderClient) {
  const endpoint = (url: string | undefined) => ({ url: url === undefined ? url : new URL(url) })
  return {
    ...provider.definition,
    authorization: endpoint(server.authorization_endpoint),
    token: endpoint(server.token_endpoint),
    userinfo: { ...provider.userinfo, ...endpoint(server.userinfo_endpoint) },
  }
}

function createUserInfoError(provider: string, status?: number): OAuthCallbackError {
  const expected = "the userinfo endpoint to describe the user that the tokens belong to"
  return new OAuthCallbackError(omitUndefined({ provider, expected, status }))
}
