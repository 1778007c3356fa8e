/** Records the exchange with a provider for the error report, without the secrets in it. */
import type { AuthorizationServer } from "oauth4webapi"
import { describeShape } from "../../errors/describe-value.ts"
import type { ErrorReportRecorder } from "../../http/action-request.ts"
import type { ProviderFetch } from "../../http/provider-fetch.ts"
import { parseJsonObject } from "../../objects.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import { decodeClaims } from "./id-token.ts"
import type { OAuthTransaction, ProviderClient } from "./oauth-context.ts"
import { describeError } from "./provider-error.ts"

type Recorder = ErrorReportRecorder | undefined

/** The parameters of a response that are no secrets. */
export const publicParameters: ReadonlySet<string> = new Set(
  "iss error error_code error_description error_message error_uri".split(" "),
)

export function recordAuthorizationResponse(recorder: Recorder, parameters: URLSearchParams): void {
  if (!recorder) return
  const descriptions = [...parameters].map(([name, value]) => {
    if (publicParameters.has(name)) return `${name}: ${JSON.stringify(value)}`
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

/** Returns a client that records its requests. */
export function recordRequests(
  client: ProviderClient,
  recorder: ErrorReportRecorder,
): ProviderClient {
  const fetch: ProviderFetch = async (input, init) => {
    const { origin, pathname } = new URL(input)
    const name = `${init?.method ?? "GET"} ${origin}${pathname}`
    const response = await client.fetch(input, init).catch((error) => {
      recorder.record(name, JSON.stringify(String(error)), false, "a response")
      throw error
    })
    const body = parseJsonObject(await response.clone().text()) ?? {}
    const { error, error_description, access_token, refresh_token, id_token } = body
    const members = Object.keys(body).join(", ") || "no JSON object"
    const content = error
      ? `the error ${describeError(error, error_description) || "without a code"}`
      : members
    const isSuccess = response.ok && error === undefined
    recorder.record(name, `status ${response.status} with ${content}`, isSuccess, "no error")
    // The errors of the ID token name its claims, but not these.
    const { nonce, sub } = decodeClaims(String(id_token)) ?? {}
    recorder.secrets.push(access_token, refresh_token, id_token, nonce, sub)
    return response
  }
  return { ...client, fetch }
}

function formatRelativeTime(time = 0): string {
  const distance = Math.round(Date.now() / 1000 - time)
  return distance >= 0 ? `${distance} s ago` : `in ${-distance} s`
}
