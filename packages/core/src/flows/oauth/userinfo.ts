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
import type { Outbound } from "../../http/outbound.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved.ts"
import type { TokenSet } from "../../types.ts"
import type { Metadata } from "./metadata.ts"
import { clientOf, tolerance } from "./token.ts"

type Claims = Record<string, unknown>

/**
 * Asks the userinfo endpoint of an OpenID Connect provider (OIDC Core 5.3).
 *
 * @param subject `sub` of the ID token, which the answer must have too
 */
export async function userinfoOf(
  provider: ResolvedOAuthProvider,
  server: AuthorizationServer,
  metadata: Metadata,
  accessToken: string,
  subject: string,
  ask: Outbound,
): Promise<Claims> {
  const client = clientOf(provider)
  const options = { [customFetch]: ask, [allowInsecureRequests]: true } as const
  const answer = await userInfoRequest(server, client, accessToken, options)
  const response = (await provider.userinfo.conform?.(answer.clone())) ?? answer
  if (/^application\/jwt\b/i.test(response.headers.get("content-type") ?? "")) {
    if (response.status !== 200) throw refused(provider.id, response.status)
    // OIDC Core 5.3.2: a signed answer names its issuer and its audience.
    const verified = await jwtVerify(await response.text(), await metadata.keys(), {
      issuer: server.issuer,
      audience: provider.clientId,
      clockTolerance: tolerance,
    })
    if (verified.payload.sub !== subject) throw refused(provider.id)
    return verified.payload
  }
  return processUserInfoResponse(server, client, subject, response)
}

/** Asks an OAuth 2 provider who the access token belongs to. */
export async function profileOf(
  provider: ResolvedOAuthProvider,
  server: AuthorizationServer,
  tokens: TokenSet,
  ask: Outbound,
): Promise<Claims> {
  const { request, conform } = provider.userinfo
  if (request) {
    return objectOf(
      await request({ tokens, provider: requestProvider(provider, server), fetch: ask }),
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
  const answer = await ask(url, { headers })
  const response = (await conform?.(answer.clone())) ?? answer
  if (!response.ok) throw refused(provider.id, response.status)
  return objectOf(await response.json(), provider.id)
}

/** The provider as such functions expect it: with its endpoints as objects. */
function requestProvider(provider: ResolvedOAuthProvider, server: AuthorizationServer): Claims {
  const endpoint = (url: string | undefined) => ({ url: url === undefined ? url : new URL(url) })
  return {
    ...provider.definition,
    authorization: endpoint(server.authorization_endpoint),
    token: endpoint(server.token_endpoint),
    userinfo: { ...provider.userinfo, ...endpoint(server.userinfo_endpoint) },
  }
}

function objectOf(value: unknown, provider: string): Claims {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refused(provider)
  return { ...value }
}

function refused(provider: string, status?: number): OAuthCallbackError {
  return new OAuthCallbackError({
    provider,
    expected: "the userinfo endpoint to describe the person that the tokens are for",
    ...(status === undefined ? {} : { status }),
  })
}
