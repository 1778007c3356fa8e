/** The authorization response (RFC 6749 section 4.1.2, RFC 9207) and what follows from it. */
import {
  AuthorizationResponseError,
  type AuthorizationServer,
  getValidatedIdTokenClaims,
  validateAuthResponse,
} from "oauth4webapi"
import type { ResolvedConfig } from "../../config/resolved-config.ts"
import { InvalidCheck, OAuthCallbackError } from "../../errors.ts"
import type { Exchange } from "../../http/exchange.ts"
import { createOutbound, type Outbound } from "../../http/outbound.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved.ts"
import type { TokenSet } from "../../types.ts"
import type { Proof } from "../proof.ts"
import { verifyIdToken } from "./id-token.ts"
import { identityOf } from "./identity.ts"
import type { Metadata } from "./metadata.ts"
import { forwardTarget } from "./redirect-proxy.ts"
import { exchangeCode, type TokenAnswer } from "./token.ts"
import { traceAnswer, traced, traceIssuer, traceTransaction } from "./trace.ts"
import { takeTransaction } from "./transaction.ts"
import { profileOf, userinfoOf } from "./userinfo.ts"

/** Proves an identity from the provider's answer. */
export async function proveOAuth(
  exchange: Exchange,
  provider: ResolvedOAuthProvider,
  metadata: Metadata,
  ownCallback: string,
  config: ResolvedConfig,
): Promise<Proof> {
  const parameters = responseParameters(exchange, provider)
  const { trace } = exchange
  traceAnswer(trace, parameters)
  const to = await forwardTarget(config, provider, ownCallback, parameters)
  if (to !== undefined) {
    assertUnambiguous(provider, parameters)
    return { kind: "forward", to }
  }
  const state = parameters.get("state")
  const { sealer } = config
  const transaction = await takeTransaction(exchange, sealer, state, provider.id, provider.formPost)
  traceTransaction(trace, transaction)
  // Afterwards, because an answer uses its sign-in up whatever it is worth.
  assertUnambiguous(provider, parameters)
  const server = await metadata.server()
  traceIssuer(trace, provider, server, parameters)
  const validated = validateResponse(server, provider, parameters, state ?? "")
  const { fetch, allowInsecure } = provider
  const outbound = createOutbound({ fetch, allowInsecure, signal: exchange.signal })
  const ask = traced(outbound, trace, { provider, server, transaction })
  const answer = await exchangeCode(provider, server, validated, transaction, ask)
  const claims = await claimsOf(provider, server, metadata, answer, ask)
  const profile = { ...unsignedClaims(provider, parameters), ...claims }
  const identity = await identityOf(provider, server, profile, answer.tokens)
  const { callbackUrl, link } = transaction
  return { kind: "proven", identity, callbackUrl, link }
}

/** Parameters that decide; sent twice, nobody knows which one was meant (RFC 6749 section 3.1). */
const single = ["code", "state", "iss", "error", "error_description", "response", "session_state"]
const frontChannel = ["access_token", "id_token", "token", "token_type"]

function responseParameters(exchange: Exchange, provider: ResolvedOAuthProvider): URLSearchParams {
  const method = provider.formPost ? "POST" : "GET"
  if (exchange.method === method) return provider.formPost ? exchange.form : exchange.query
  throw new InvalidCheck({
    provider: provider.id,
    expected: `the answer of the provider by ${method}`,
  })
}

function assertUnambiguous(provider: ResolvedOAuthProvider, parameters: URLSearchParams): void {
  const refuse = (expected: string) => new InvalidCheck({ provider: provider.id, expected })
  if (single.some((name) => parameters.getAll(name).length > 1)) {
    throw refuse("every parameter of the answer once")
  }
  if (frontChannel.some((name) => parameters.has(name))) {
    throw refuse("a code, not tokens, by way of the browser (RFC 9700 section 2.1.2)")
  }
}

function validateResponse(
  server: AuthorizationServer,
  provider: ResolvedOAuthProvider,
  parameters: URLSearchParams,
  state: string,
): URLSearchParams {
  const known = new URLSearchParams(parameters)
  // Who has no issuer cannot be told apart by it; the state names the provider all the same.
  if (!provider.issuer) known.delete("iss")
  try {
    const validated = validateAuthResponse(server, { client_id: provider.clientId }, known, state)
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
function unsignedClaims({ answerClaims }: ResolvedOAuthProvider, parameters: URLSearchParams) {
  const said = answerClaims.map((name) => [name, objectIn(parameters.get(name))] as const)
  return Object.fromEntries(said.filter(([, value]) => value !== undefined))
}

function objectIn(text: string | null): object | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "null")
    return typeof value === "object" && value !== null ? value : undefined
  } catch {
    return undefined // it only adds to what the provider signed
  }
}

async function claimsOf(
  provider: ResolvedOAuthProvider,
  server: AuthorizationServer,
  metadata: Metadata,
  { tokens, validated }: TokenAnswer,
  ask: Outbound,
): Promise<Record<string, unknown>> {
  if (provider.type === "oauth") return profileOf(provider, server, tokens, ask)
  const claims = getValidatedIdTokenClaims(validated)
  const { id_token = "", access_token = "" } = tokens as TokenSet
  if (!claims) throw new OAuthCallbackError({ provider: provider.id, expected: "an ID token" })
  await verifyIdToken(provider, server, metadata, id_token, claims, access_token)
  if (provider.idToken) return { ...claims }
  return userinfoOf(provider, server, metadata, access_token, claims.sub, ask)
}
