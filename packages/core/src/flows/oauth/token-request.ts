/** The token request, its response (RFC 6749 sections 4.1.3 and 5), and how the client authenticates. */
import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  type ClientAuth,
  ClientSecretJwt,
  ClientSecretPost,
  clockTolerance,
  customFetch,
  expectNoNonce,
  getValidatedIdTokenClaims,
  type IDToken,
  type ModifyAssertionOptions,
  modifyAssertion,
  None,
  nopkce,
  PrivateKeyJwt,
  processAuthorizationCodeResponse,
} from "oauth4webapi"
import { InvalidProvider } from "../../errors.ts"
import { omitUndefined, parseJsonObject } from "../../objects.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { TokenSet } from "../../types.ts"
import { computeExpiresAt } from "./expires-at.ts"
import { getClockTolerance, omitNullClaims, resolveIssuer } from "./id-token.ts"
import type { ProviderClient, TokenEndpointClient } from "./oauth-context.ts"
import { createTokenError, describeClaimError } from "./provider-error.ts"

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
  const id_token = body?.["id_token"]
  const response = await processAuthorizationCodeResponse(
    { ...server, issuer: resolveIssuer(provider, server, id_token) },
    client,
    sanitizedResponse,
    isOidc ? { expectedNonce: nonce ?? expectNoNonce, requireIdToken: true } : {},
  ).catch((error) => {
    throw describeClaimError(provider, error)
  })
  // Without OpenID Connect, an ID token is stored, but its claims are not used.
  const tokens = { ...response, ...(typeof id_token === "string" ? { id_token } : {}) }
  return { tokens: tokens as TokenSet, idTokenClaims: getValidatedIdTokenClaims(response) }
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
  const { id_token, expires_in, expires_at } = body ?? {}
  const expiresAt = computeExpiresAt(expires_in)
  const isReported = Number.isSafeInteger(expires_at) && Number(expires_at) > 0
  // Undefined members are left out: the protocol library would reject a usable response because of them.
  const sanitizedBody = omitUndefined({
    token_type: "bearer",
    ...body,
    expires_in: expiresAt && Number(expires_in),
    expires_at: expiresAt ?? (isReported ? expires_at : undefined),
    id_token: provider.type === "oidc" ? omitNullClaims(id_token) : undefined,
  })
  const sanitizedText = body ? JSON.stringify(sanitizedBody) : text
  const sanitizedResponse = new Response(sanitizedText, { status, headers })
  return { status, body, sanitizedResponse }
}

/** Returns the members that have a value. RFC 6749 section 5.1 knows neither null nor a list of scopes. */
function omitAbsent({ scope, error, ...others }: Record<string, unknown>): Record<string, unknown> {
  const scopes = Array.isArray(scope) ? scope.join(" ") : scope
  const members = Object.entries({ ...others, scope: scopes, error: error || undefined })
  return Object.fromEntries(members.filter(([, value]) => value !== null && value !== ""))
}

/**
 * Creates the client authentication of one request (OpenID Connect Core 9).
 *
 * @throws InvalidProvider for an unknown method, or one whose secret or key is missing
 */
export async function createClientAuth(client: TokenEndpointClient): Promise<ClientAuth> {
  const { clientId, clientIdParameter: name } = client.provider
  const authenticate = await selectAuthMethod(client)
  if (name === "client_id") return authenticate
  return async (...request) => {
    await authenticate(...request)
    const [, , body] = request
    body.delete("client_id")
    body.set(name, clientId)
  }
}

async function selectAuthMethod({ provider, server }: TokenEndpointClient): Promise<ClientAuth> {
  const { id, issuer, clientId, token } = provider
  const { token_endpoint = "" } = server
  switch (provider.clientAuthMethod) {
    case "client_secret_basic":
      return clientSecretBasic(clientId, requireClientSecret(provider))
    case "client_secret_post":
      // A secret that expires is created just before it is sent.
      return ClientSecretPost(
        token.clientSecret ? await token.clientSecret(clientId) : requireClientSecret(provider),
      )
    case "client_secret_jwt": {
      const audience = issuer ? server.issuer : token_endpoint
      return ClientSecretJwt(requireClientSecret(provider), setAudience(audience))
    }
    case "private_key_jwt": {
      const expected = `provider ${id} to have \`token.clientPrivateKey\``
      if (!token.clientPrivateKey) throw new InvalidProvider({ provider: id, expected })
      const audience = issuer ? [server.issuer, token_endpoint] : [token_endpoint]
      // The type of oauth4webapi does not accept a `kid` that is undefined.
      return PrivateKeyJwt(token.clientPrivateKey as CryptoKey, setAudience(audience))
    }
    case "none":
      return None()
    default: {
      const expected = "`client.token_endpoint_auth_method` to be a method of OpenID Connect Core 9"
      throw new InvalidProvider({ provider: id, expected })
    }
  }
}

function requireClientSecret({ id, clientSecret }: ResolvedOAuthProvider): string {
  if (clientSecret) return clientSecret
  throw new InvalidProvider({
    provider: id,
    expected: `provider ${id} to have a \`clientSecret\``,
    hint: 'A public client sets `client: { token_endpoint_auth_method: "none" }`.',
  })
}

/** RFC 6749 section 2.3.1. Not all providers decode escaped unreserved characters, so they stay unescaped. */
function clientSecretBasic(clientId: string, clientSecret: string): ClientAuth {
  const formEncode = (text: string) => encodeURIComponent(text).replaceAll("%20", "+")
  const credentials = btoa(`${formEncode(clientId)}:${formEncode(clientSecret)}`)
  return (_server, _client, _body, headers) => headers.set("authorization", `Basic ${credentials}`)
}

/** RFC 7523 section 3: providers expect their issuer, or their token endpoint, as audience. */
function setAudience(audience: string | string[]): ModifyAssertionOptions {
  return {
    [modifyAssertion](_header, payload) {
      payload["aud"] = audience
    },
  }
}
