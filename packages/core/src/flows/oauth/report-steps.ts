/** Notes on a provider's answer, for the developer: what was expected and what came, without the secrets in it. */
import { decodeJwt, decodeProtectedHeader } from "jose"
import type { AuthorizationServer } from "oauth4webapi"
import {
  compareShapes,
  describeShape,
  type ErrorReportRecorder,
  type ErrorReportStep,
} from "../../http/error-report.ts"
import type { ProviderFetch } from "../../http/provider-fetch.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { OAuthTransaction } from "./transaction.ts"

/** Parameters of the answer that may be read by anybody. */
const publicParameters: ReadonlySet<string> = new Set([
  "iss",
  "error",
  "error_description",
  "error_uri",
])

/** What the browser brought back. */
export function recordAuthorizationResponse(
  reportRecorder: ErrorReportRecorder,
  parameters: URLSearchParams,
): void {
  if (!reportRecorder.isEnabled) return
  const all = [...parameters]
  reportRecorder.redactValues(
    ...all.filter(([name]) => !publicParameters.has(name)).map(([, value]) => value),
  )
  const described = all.map(
    ([name, value]) => `${name}: ${publicParameters.has(name) ? value : describeShape(value)}`,
  )
  reportRecorder.recordStep({
    name: "Answer of the provider",
    expected: "code and state, each once",
    received: described.join("; ") || "nothing",
    isAsExpected: ["code", "state"].every((name) => parameters.getAll(name).length === 1),
  })
}

/** The sign-in that the answer belongs to. */
export function recordTransaction(
  reportRecorder: ErrorReportRecorder,
  transaction: OAuthTransaction,
): void {
  if (!reportRecorder.isEnabled) return
  const { codeVerifier, nonce, iat, redirectUri, linkRequest } = transaction
  reportRecorder.redactValues(codeVerifier, nonce, linkRequest?.sessionBinding)
  const age = iat === undefined ? undefined : Math.round(Date.now() / 1000 - iat)
  reportRecorder.recordStep({
    name: "Sign-in under way",
    expected: "one of this browser, for the state and the provider",
    received: [
      age === undefined ? "begun here" : `begun here ${age} s ago`,
      `PKCE ${codeVerifier ? "in use" : "not in use"}`,
      `nonce ${nonce ? "sent" : "not sent"}`,
      ...(linkRequest ? ["adds an account"] : []),
    ].join(", "),
    isAsExpected: true,
  })
  reportRecorder.recordStep({ name: "Redirect URI", received: redirectUri })
}

/** RFC 9207: who says that the answer is theirs. */
export function recordIssuer(
  reportRecorder: ErrorReportRecorder,
  { issuer }: ResolvedOAuthProvider,
  server: AuthorizationServer,
  parameters: URLSearchParams,
): void {
  const iss = parameters.get("iss")
  const isAnnounced = server.authorization_response_iss_parameter_supported === true
  if (!reportRecorder.isEnabled || !issuer || (iss === null && !isAnnounced)) return
  const isAsExpected = iss === server.issuer
  reportRecorder.recordStep({
    name: "Issuer of the answer",
    expected: server.issuer,
    received: iss ?? "none, although the provider announces that it sends one",
    isAsExpected,
  })
}

/** What everything is compared with that a provider answers. */
export interface ExpectedValues {
  readonly provider: ResolvedOAuthProvider
  readonly server: AuthorizationServer
  readonly transaction: OAuthTransaction
}

/** Requests to the provider that are noted, with their status and the error that OAuth has for it. */
export function recordProviderFetch(
  providerFetch: ProviderFetch,
  reportRecorder: ErrorReportRecorder,
  expectedValues: ExpectedValues,
): ProviderFetch {
  if (!reportRecorder.isEnabled) return providerFetch
  return async (input, init) => {
    const url = new URL(input)
    const name = `${init?.method ?? "GET"} ${url.origin}${url.pathname}`
    try {
      const response = await providerFetch(input, init)
      const body = parseJsonObject(await response.clone().text())
      reportRecorder.recordStep(createResponseStep(name, response, body))
      reportRecorder.redactValues(
        ...["access_token", "refresh_token", "id_token"].map((token) => body[token]),
      )
      const idToken = body["id_token"]
      if (typeof idToken === "string") recordIdToken(reportRecorder, idToken, expectedValues)
      return response
    } catch (error) {
      const received = error instanceof Error ? error.message : String(error)
      reportRecorder.recordStep({ name, expected: "an answer", received, isAsExpected: false })
      throw error
    }
  }
}

function createResponseStep(
  name: string,
  { status }: Response,
  body: Record<string, unknown>,
): ErrorReportStep {
  const { error, error_description } = body
  const parts = [error, error_description].filter((part) => typeof part === "string")
  const errorText = parts.length > 0 ? `and the error ${parts.join(": ")}` : ""
  const isAsExpected = status >= 200 && status < 300 && error === undefined
  const fields =
    isAsExpected && Object.keys(body).length > 0
      ? `with ${Object.keys(body).join(", ")}`
      : errorText
  return {
    name,
    expected: "status 200, and no error",
    received: [`status ${status}`, fields].filter(Boolean).join(" "),
    isAsExpected,
  }
}

function parseJsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {} // what it is instead, its reader says
  }
}

/** The claims that are checked (OpenID Connect Core 3.1.3.7), before they are. */
function recordIdToken(
  reportRecorder: ErrorReportRecorder,
  idToken: string,
  expectedValues: ExpectedValues,
): void {
  const { provider, server, transaction } = expectedValues
  if (provider.type !== "oidc") return
  try {
    const claims = decodeJwt(idToken)
    const { alg, kid } = decodeProtectedHeader(idToken)
    const now = Math.floor(Date.now() / 1000)
    const audience = [claims.aud ?? []].flat()
    const recordClaim = (
      name: string,
      expected: string,
      received: unknown,
      isAsExpected: boolean,
    ) =>
      reportRecorder.recordStep({
        name: `ID token: ${name}`,
        expected,
        received: String(received ?? "none"),
        isAsExpected,
      })
    reportRecorder.recordStep({
      name: "ID token",
      received: `signed with ${alg}, key ${kid ? "named" : "not named"}`,
    })
    // Tenants that share a provider have issuers of their own, which are compared later.
    if (provider.tenantClaim === undefined) {
      recordClaim("iss", server.issuer, claims.iss, claims.iss === server.issuer)
    }
    recordClaim("aud", provider.clientId, audience.join(", "), audience.includes(provider.clientId))
    recordClaim(
      "exp",
      "in the future",
      formatRelativeTime(claims.exp, now),
      Number(claims.exp) > now,
    )
    recordClaim(
      "iat",
      "in the past",
      formatRelativeTime(claims.iat, now),
      Number(claims.iat) <= now + 30,
    )
    const { nonce } = claims
    reportRecorder.redactValues(nonce, claims.sub)
    reportRecorder.recordStep({
      name: "ID token: nonce",
      ...compareShapes(transaction.nonce, nonce),
    })
  } catch (error) {
    const received = error instanceof Error ? error.message : String(error)
    reportRecorder.recordStep({
      name: "ID token",
      expected: "a signed JWT",
      received,
      isAsExpected: false,
    })
  }
}

function formatRelativeTime(time: unknown, now: number): string {
  if (typeof time !== "number") return "none"
  const distance = Math.abs(time - now)
  return time >= now ? `in ${distance} s` : `${distance} s ago`
}
