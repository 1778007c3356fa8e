/** The authorization response (RFC 6749 section 4.1.2, RFC 9207) and what follows from it. */
import {
  AuthorizationResponseError,
  type AuthorizationServer,
  getValidatedIdTokenClaims,
  validateAuthResponse,
} from "oauth4webapi"
import type { CoreServices } from "../../config/core-services.ts"
import { InvalidCheck, OAuthCallbackError } from "../../errors.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import { createProviderFetch, type ProviderFetch } from "../../http/provider-fetch.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { TokenSet } from "../../types.ts"
import type { FlowResult } from "../flow-result.ts"
import { verifyIdToken } from "./id-token.ts"
import { createOAuthIdentity } from "./identity.ts"
import type { ProviderMetadata } from "./provider-metadata.ts"
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

/** Proves an identity from the provider's answer. */
export async function completeOAuthFlow(
  request: ActionRequest,
  provider: ResolvedOAuthProvider,
  metadata: ProviderMetadata,
  localRedirectUri: string,
  services: CoreServices,
): Promise<FlowResult> {
  const parameters = getResponseParameters(request, provider)
  const { reportRecorder } = request
  recordAuthorizationResponse(reportRecorder, parameters)
  const forwardUrl = await resolveForwardUrl(services, provider, localRedirectUri, parameters)
  if (forwardUrl !== undefined) {
    assertUnambiguousResponse(provider, parameters)
    return { kind: "forward", url: forwardUrl }
  }
  const state = parameters.get("state")
  const { sealer } = services
  const transaction = await consumeOAuthTransaction(
    request,
    sealer,
    state,
    provider.id,
    provider.usesFormPost,
  )
  recordTransaction(reportRecorder, transaction)
  // Afterwards, because an answer uses its sign-in up whatever it is worth.
  assertUnambiguousResponse(provider, parameters)
  const server = await metadata.getServer()
  recordIssuer(reportRecorder, provider, server, parameters)
  const validated = validateAuthorizationResponse(server, provider, parameters, state ?? "")
  const { fetch, allowInsecure } = provider
  const unrecordedFetch = createProviderFetch({ fetch, allowInsecure, signal: request.signal })
  const providerFetch = recordProviderFetch(unrecordedFetch, reportRecorder, {
    provider,
    server,
    transaction,
  })
  const tokenResponse = await exchangeCode(provider, server, validated, transaction, providerFetch)
  const claims = await resolveClaims(provider, server, metadata, tokenResponse, providerFetch)
  const profile = { ...parseUnsignedClaims(provider, parameters), ...claims }
  const identity = await createOAuthIdentity(provider, server, profile, tokenResponse.tokens)
  const { callbackUrl, linkRequest } = transaction
  return { kind: "completed", identity, callbackUrl, linkRequest: linkRequest }
}

/** Parameters that decide; sent twice, nobody knows which one was meant (RFC 6749 section 3.1). */
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
    expected: `the answer of the provider by ${method}`,
  })
}

function assertUnambiguousResponse(
  provider: ResolvedOAuthProvider,
  parameters: URLSearchParams,
): void {
  const createError = (expected: string) => new InvalidCheck({ provider: provider.id, expected })
  if (singleParameters.some((name) => parameters.getAll(name).length > 1)) {
    throw createError("every parameter of the answer once")
  }
  if (frontChannelParameters.some((name) => parameters.has(name))) {
    throw createError("a code, not tokens, by way of the browser (RFC 9700 section 2.1.2)")
  }
}

function validateAuthorizationResponse(
  server: AuthorizationServer,
  provider: ResolvedOAuthProvider,
  parameters: URLSearchParams,
  state: string,
): URLSearchParams {
  const checkedParameters = new URLSearchParams(parameters)
  // Who has no issuer cannot be told apart by it; the state names the provider all the same.
  if (!provider.issuer) checkedParameters.delete("iss")
  try {
    const validated = validateAuthResponse(
      server,
      { client_id: provider.clientId },
      checkedParameters,
      state,
    )
    if (!validated.get("code")) throw new TypeError("The answer has no code")
    return validated
  } catch (cause) {
    if (!(cause instanceof AuthorizationResponseError)) {
      throw new OAuthCallbackError("The answer cannot be used.", { provider: provider.id, cause })
    }
    const { error, error_description } = cause
    throw new OAuthCallbackError("The provider answered with an error.", {
      provider: provider.id,
      error,
      error_description,
      cause,
    })
  }
}

/** What the answer says beside the code; what is no JSON object is left out. */
function parseUnsignedClaims(
  { responseParams }: ResolvedOAuthProvider,
  parameters: URLSearchParams,
) {
  const entries = responseParams.map(
    (name) => [name, parseJsonObject(parameters.get(name))] as const,
  )
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function parseJsonObject(text: string | null): object | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "null")
    return typeof value === "object" && value !== null ? value : undefined
  } catch {
    return undefined // it only adds to what the provider signed
  }
}

async function resolveClaims(
  provider: ResolvedOAuthProvider,
  server: AuthorizationServer,
  metadata: ProviderMetadata,
  { tokens, response }: ValidatedTokenResponse,
  providerFetch: ProviderFetch,
): Promise<Record<string, unknown>> {
  if (provider.type === "oauth") return fetchProfile(provider, server, tokens, providerFetch)
  const claims = getValidatedIdTokenClaims(response)
  const { id_token = "", access_token = "" } = tokens as TokenSet
  if (!claims) throw new OAuthCallbackError({ provider: provider.id, expected: "an ID token" })
  await verifyIdToken(provider, server, metadata, id_token, claims, access_token)
  if (provider.usesIdToken) return { ...claims }
  return fetchUserInfo(provider, server, metadata, access_token, claims.sub, providerFetch)
}
