/** Records the exchange with a provider for the error report, without the secrets in it. */
import { decodeJwt, decodeProtectedHeader } from "jose"
import type { AuthorizationServer } from "oauth4webapi"
import { describeShape, describeValue } from "../../errors/describe-value.ts"
import type { ErrorReportRecorder } from "../../http/action-request.ts"
import type { ProviderFetch } from "../../http/provider-fetch.ts"
import { parseJsonObject } from "../../objects.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import { getClockTolerance } from "./id-token.ts"
import type { OAuthTransaction, ProviderClient } from "./oauth-context.ts"

type Recorder = ErrorReportRecorder | undefined

/** The parameters of a response that are no secrets. */
export const publicParameters: ReadonlySet<string> = new Set(
  "iss error error_description error_uri".split(" "),
)

export function recordAuthorizationResponse(recorder: Recorder, parameters: URLSearchParams): void {
  if (!recorder) return
  const descriptions = [...parameters].map(([name, value]) => {
    if (publicParameters.has(name)) return `${name}: ${value}`
    recorder.secrets.push(value)
    return `${name}: ${describeShape(value)}`
  })
  const isComplete = ["code", "state"].every((name) => parameters.getAll(name).length === 1)
  const received = descriptions.join("; ") || "nothing"
  recorder.record("Provider's response", received, isComplete, "code and state, each once")
}

export function recordTransaction(recorder: Recorder, transaction: OAuthTransaction): void {
  if (!recorder) return
  const { codeVerifier, nonce, iat, redirectUri, linkRequest } = transaction
  recorder.secrets.push(codeVerifier, nonce, linkRequest?.sessionBinding)
  const checks = [codeVerifier && "PKCE", nonce && "nonce", linkRequest && "session"]
  const received = `begun ${formatRelativeTime(iat)} for ${redirectUri}, with: ${checks.filter(Boolean).join(", ")}`
  recorder.record("Pending sign-in", received, true)
}

/** Records the issuer of the response (RFC 9207), where one was sent or announced. */
export function recordIssuer(
  recorder: Recorder,
  provider: ResolvedOAuthProvider,
  server: AuthorizationServer,
  parameters: URLSearchParams,
): void {
  const isAnnounced = server.authorization_response_iss_parameter_supported === true
  const iss = parameters.get("iss") ?? (isAnnounced ? "none, although it is announced" : undefined)
  if (provider.issuer && iss !== undefined)
    recorder?.record("Issuer of the response", iss, iss === server.issuer, server.issuer)
}

/** Returns a client that records its requests, and the ID token that they return. */
export function recordRequests(
  client: ProviderClient,
  recorder: ErrorReportRecorder,
): ProviderClient {
  const fetch: ProviderFetch = async (input, init) => {
    const { origin, pathname } = new URL(input)
    const name = `${init?.method ?? "GET"} ${origin}${pathname}`
    const response = await client.fetch(input, init).catch((error) => {
      recorder.record(name, String(error), false, "a response")
      throw error
    })
    const body = parseJsonObject(await response.clone().text()) ?? {}
    const { error, error_description, access_token, refresh_token, id_token } = body
    const members = Object.keys(body).join(", ") || "no JSON object"
    const content = error ? `the error ${toText(error)}: ${toText(error_description)}` : members
    const isSuccess = response.ok && error === undefined
    recorder.record(name, `status ${response.status} with ${content}`, isSuccess, "no error")
    recorder.secrets.push(access_token, refresh_token, id_token)
    recordIdToken(recorder, id_token, client)
    return response
  }
  return { ...client, fetch }
}

/**
 * Records the claims of OpenID Connect Core 3.1.3.7. Times have no verdict here: the error of the verifier names the
 * claim that failed.
 */
function recordIdToken(
  recorder: ErrorReportRecorder,
  idToken: unknown,
  { provider, server, transaction }: ProviderClient,
): void {
  if (provider.type !== "oidc" || typeof idToken !== "string") return
  const record = (claim: string, received: string, isAsExpected?: boolean, expected?: string) =>
    recorder.record(`ID token: ${claim}`, received, isAsExpected, expected)
  try {
    const { iss = "none", aud = [], exp, iat, nonce, sub } = decodeJwt(idToken)
    const { alg, kid } = decodeProtectedHeader(idToken)
    recorder.secrets.push(nonce, sub)
    record("signature", `${alg}, key ${kid ? "" : "not "}named`)
    // Tenants that share a provider have their own issuers, which are compared later.
    if (provider.tenantClaim === undefined)
      record("iss", toText(iss), iss === server.issuer, server.issuer)
    const audience = [aud].flat()
    record("aud", audience.join(", "), audience.includes(provider.clientId), provider.clientId)
    record(
      "exp",
      formatRelativeTime(exp),
      undefined,
      `at most ${getClockTolerance(provider)} s ago`,
    )
    record(
      "iat",
      formatRelativeTime(iat),
      undefined,
      `at most ${getClockTolerance(provider)} s ahead`,
    )
    const isSameNonce = nonce === transaction.nonce
    const receivedNonce = isSameNonce ? "the same" : `a different one, of ${describeShape(nonce)}`
    record("nonce", receivedNonce, isSameNonce, describeShape(transaction.nonce))
  } catch (error) {
    recorder.record("ID token", String(error), false, "a signed JWT")
  }
}

/** Returns texts as they are: other values may have no `toString`. */
const toText = (value: unknown) => (typeof value === "string" ? value : describeValue(value))

function formatRelativeTime(time = 0): string {
  const distance = Math.round(Date.now() / 1000 - time)
  return distance >= 0 ? `${distance} s ago` : `in ${-distance} s`
}
