/** The authorization response (RFC 6749 section 4.1.2, RFC 9207) and the requests that follow it. */
import {
  AuthorizationResponseError,
  type AuthorizationServer,
  getValidatedIdTokenClaims,
  validateAuthResponse,
} from "oauth4webapi"
import type { CoreServices } from "../../config/core-services.ts"
import { InvalidCheck, OAuthCallbackError } from "../../errors.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import { createProviderFetch } from "../../http/provider-fetch.ts"
import { parseJsonObject } from "../../objects.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { FlowResult } from "../flow-result.ts"
import { verifyIdToken } from "./id-token.ts"
import { createOAuthIdentity } from "./identity.ts"
import type { ProviderClient, ProviderMetadata } from "./provider-metadata.ts"
import { resolveForwardUrl } from "./redirect-proxy.ts"
import {
  recordAuthorizationResponse,
  recordIssuer,
  recordProviderFetch,
  recordTransaction,
} from "./report-steps.ts"
import { exchangeCode, type ValidatedTokenResponse } from "./token-request.ts"
import { consumeOAuthTransaction } from "./transaction.ts"
import { fetchProfile, fetchUserInfo } from "./userinfo.ts"

/** Proves an identity by the provider's authorization response. */
export async function completeOAuthFlow(
  request: ActionRequest,
  provider: ResolvedOAuthProvider,
  metadata: ProviderMetadata,
  localRedirectUri: string,
  services: CoreServices,
): Promise<FlowResult> {
  const parameters = getResponseParameters(request, provider)
  const { reportRecorder, signal } = request
  recordAuthorizationResponse(reportRecorder, parameters)
  const forwardUrl = await resolveForwardUrl(services, provider, localRedirectUri, parameters)
  if (forwardUrl !== undefined) {
    assertUnambiguousResponse(provider, parameters)
    return { kind: "forward", url: forwardUrl }
  }
  const state = parameters.get("state") ?? ""
  const transaction = await consumeOAuthTransaction(request, services.sealer, provider, state)
  recordTransaction(reportRecorder, transaction)
  // Checked afterwards, because a response consumes its transaction even if it is refused.
  assertUnambiguousResponse(provider, parameters)
  const server = await metadata.getServer()
  recordIssuer(reportRecorder, provider, server, parameters)
  const validated = validateAuthorizationResponse(server, provider, parameters, state)
  const fetch = recordProviderFetch(createProviderFetch({ ...provider, signal }), reportRecorder, {
    provider,
    server,
    transaction,
  })
  const client: ProviderClient = { provider, server, metadata, fetch }
  const tokenResponse = await exchangeCode(client, validated, transaction)
  const claims = await resolveClaims(client, tokenResponse)
  const profile = { ...parseUnsignedClaims(provider, parameters), ...claims }
  const identity = await createOAuthIdentity(provider, server, profile, tokenResponse.tokens)
  const { callbackUrl, linkRequest } = transaction
  return { kind: "completed", identity, callbackUrl, linkRequest }
}

/** Parameters that a response may have only once (RFC 6749 section 3.1). */
const singleParameters = [
  "code",
  "state",
  "iss",
  "error",
  "error_description",
  "response",
  "session_state",
]
const frontChannelParameters = ["access_token", "id_token", "token", "token_type"]

function getResponseParameters(
  request: ActionRequest,
  provider: ResolvedOAuthProvider,
): URLSearchParams {
  const method = provider.usesFormPost ? "POST" : "GET"
  if (request.method === method) return provider.usesFormPost ? request.form : request.query
  throw new InvalidCheck({
    provider: provider.id,
    expected: `the provider's response by ${method}`,
  })
}

function assertUnambiguousResponse(
  { id: provider }: ResolvedOAuthProvider,
  parameters: URLSearchParams,
): void {
  if (singleParameters.some((name) => parameters.getAll(name).length > 1)) {
    throw new InvalidCheck({ provider, expected: "every parameter of the response once" })
  }
  if (frontChannelParameters.some((name) => parameters.has(name))) {
    const expected = "a code and no tokens in the browser's request (RFC 9700 section 2.1.2)"
    throw new InvalidCheck({ provider, expected })
  }
}

function validateAuthorizationResponse(
  server: AuthorizationServer,
  { id: provider, issuer, clientId }: ResolvedOAuthProvider,
  parameters: URLSearchParams,
  state: string,
): URLSearchParams {
  const checkedParameters = new URLSearchParams(parameters)
  // Providers without an issuer cannot be checked by `iss`. The state names the provider, too.
  if (!issuer) checkedParameters.delete("iss")
  try {
    const client = { client_id: clientId }
    const validated = validateAuthResponse(server, client, checkedParameters, state)
    if (!validated.get("code")) throw new TypeError("The response has no code")
    return validated
  } catch (cause) {
    if (!(cause instanceof AuthorizationResponseError)) {
      throw new OAuthCallbackError("The response cannot be used.", { provider, cause })
    }
    const { error, error_description } = cause
    throw new OAuthCallbackError("The provider responded with an error.", {
      provider,
      error,
      error_description,
      cause,
    })
  }
}

/** Parses the claims that the response carries beside the code. Values that are not JSON objects are left out. */
function parseUnsignedClaims(
  { responseParams }: ResolvedOAuthProvider,
  parameters: URLSearchParams,
): Record<string, unknown> {
  const entries = responseParams.map(
    (name) => [name, parseJsonObject(parameters.get(name) ?? "")] as const,
  )
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

async function resolveClaims(
  client: ProviderClient,
  { tokens, response }: ValidatedTokenResponse,
): Promise<Record<string, unknown>> {
  const { provider } = client
  if (provider.type === "oauth") return fetchProfile(client, tokens)
  const claims = getValidatedIdTokenClaims(response)
  const { id_token = "", access_token = "" } = tokens
  if (!claims) throw new OAuthCallbackError({ provider: provider.id, expected: "an ID token" })
  await verifyIdToken(client, id_token, claims, access_token)
  return provider.usesIdToken ? { ...claims } : fetchUserInfo(client, access_token, claims.sub)
}
