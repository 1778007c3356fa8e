import type { AuthorizationResponse, ScriptedProvider } from "@latchkey/testing"
import * as oauth from "oauth4webapi"

export const redirectUri = "https://app.example/auth/callback/scripted"

export interface SignInOptions {
  nonce?: string
  scope?: string
  clientAuth?: oauth.ClientAuth
  extra?: Record<string, string>
  /** Changes the authorization response. */
  tamper?: (response: AuthorizationResponse) => void
}

const createRequestOptions = (provider: ScriptedProvider) => ({
  [oauth.customFetch]: provider.fetch as never,
  [oauth.allowInsecureRequests]: true,
})

export async function discover(provider: ScriptedProvider): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(provider.issuer)
  const response = await oauth.discoveryRequest(issuer, createRequestOptions(provider))
  return oauth.processDiscoveryResponse(issuer, response)
}

/** Builds the authorization URL of a strict client. */
export async function authorizationUrl(
  provider: ScriptedProvider,
  verifier: string,
  options: SignInOptions = {},
): Promise<URL> {
  const url = new URL(provider.endpoints.authorize)
  const parameters = {
    response_type: "code",
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    scope: options.scope ?? "openid email",
    state: "the-state",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(options.nonce !== undefined && { nonce: options.nonce }),
    ...options.extra,
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}

/** Signs in with a certified client, as far as the provider's faults allow. */
export async function signIn(provider: ScriptedProvider, options: SignInOptions = {}) {
  const server = await discover(provider)
  const client: oauth.Client = { client_id: provider.clientId }
  const clientAuth = options.clientAuth ?? oauth.ClientSecretBasic(provider.clientSecret)
  const verifier = oauth.generateRandomCodeVerifier()
  const authorizationResponse = provider.approve(
    await authorizationUrl(provider, verifier, options),
  )
  options.tamper?.(authorizationResponse)
  const parameters = oauth.validateAuthResponse(
    server,
    client,
    authorizationResponse.parameters,
    "the-state",
  )
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    clientAuth,
    parameters,
    redirectUri,
    verifier,
    createRequestOptions(provider),
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    ...(options.nonce !== undefined && { expectedNonce: options.nonce }),
    requireIdToken: true,
  })
  await oauth.validateApplicationLevelSignature(server, response, createRequestOptions(provider))
  return { server, client, clientAuth, tokens, claims: oauth.getValidatedIdTokenClaims(tokens) }
}

/** Requests userinfo with a certified client. */
export async function userinfo(
  provider: ScriptedProvider,
  { server, client, tokens, claims }: Awaited<ReturnType<typeof signIn>>,
) {
  const options = createRequestOptions(provider)
  const response = await oauth.userInfoRequest(server, client, tokens.access_token, options)
  return oauth.processUserInfoResponse(server, client, claims?.sub ?? "", response)
}

/** Refreshes tokens with a certified client. */
export async function refresh(
  provider: ScriptedProvider,
  { server, client, clientAuth }: Awaited<ReturnType<typeof signIn>>,
  token: string,
) {
  const options = createRequestOptions(provider)
  const response = await oauth.refreshTokenGrantRequest(server, client, clientAuth, token, options)
  return oauth.processRefreshTokenResponse(server, client, response)
}
