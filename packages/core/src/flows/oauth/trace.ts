/** Notes on a provider's answer, for the developer: what was expected and what came, without the secrets in it. */
import { decodeJwt, decodeProtectedHeader } from "jose"
import type { AuthorizationServer } from "oauth4webapi"
import type { Outbound } from "../../http/outbound.ts"
import { comparedShape, shapeOf, type Trace, type TraceStep } from "../../http/trace.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved.ts"
import type { Transaction } from "./transaction.ts"

/** Parameters of the answer that may be read by anybody. */
const harmless: ReadonlySet<string> = new Set(["iss", "error", "error_description", "error_uri"])

/** What the browser brought back. */
export function traceAnswer(trace: Trace, parameters: URLSearchParams): void {
  if (!trace.on) return
  const all = [...parameters]
  trace.hide(...all.filter(([name]) => !harmless.has(name)).map(([, value]) => value))
  const shown = all.map(
    ([name, value]) => `${name}: ${harmless.has(name) ? value : shapeOf(value)}`,
  )
  trace.note({
    name: "Answer of the provider",
    expected: "code and state, each once",
    came: shown.join("; ") || "nothing",
    fits: ["code", "state"].every((name) => parameters.getAll(name).length === 1),
  })
}

/** The sign-in that the answer belongs to. */
export function traceTransaction(trace: Trace, transaction: Transaction): void {
  if (!trace.on) return
  const { verifier, nonce, iat, redirectUri, link } = transaction
  trace.hide(verifier, nonce, link?.binding)
  const age = iat === undefined ? undefined : Math.round(Date.now() / 1000 - iat)
  trace.note({
    name: "Sign-in under way",
    expected: "one of this browser, for the state and the provider",
    came: [
      age === undefined ? "begun here" : `begun here ${age} s ago`,
      `PKCE ${verifier ? "in use" : "not in use"}`,
      `nonce ${nonce ? "sent" : "not sent"}`,
      ...(link ? ["adds an account"] : []),
    ].join(", "),
    fits: true,
  })
  trace.note({ name: "Redirect URI", came: redirectUri })
}

/** RFC 9207: who says that the answer is theirs. */
export function traceIssuer(
  trace: Trace,
  { issuer }: ResolvedOAuthProvider,
  server: AuthorizationServer,
  parameters: URLSearchParams,
): void {
  const iss = parameters.get("iss")
  const announced = server.authorization_response_iss_parameter_supported === true
  if (!trace.on || !issuer || (iss === null && !announced)) return
  const fits = iss === server.issuer
  trace.note({
    name: "Issuer of the answer",
    expected: server.issuer,
    came: iss ?? "none, although the provider announces that it sends one",
    fits,
  })
}

/** What everything is compared with that a provider answers. */
export interface Expectations {
  readonly provider: ResolvedOAuthProvider
  readonly server: AuthorizationServer
  readonly transaction: Transaction
}

/** Requests to the provider that are noted, with their status and the error that OAuth has for it. */
export function traced(ask: Outbound, trace: Trace, expectations: Expectations): Outbound {
  if (!trace.on) return ask
  return async (input, init) => {
    const url = new URL(input)
    const name = `${init?.method ?? "GET"} ${url.origin}${url.pathname}`
    try {
      const response = await ask(input, init)
      const body = jsonIn(await response.clone().text())
      trace.note(answerOf(name, response, body))
      trace.hide(...["access_token", "refresh_token", "id_token"].map((token) => body[token]))
      const idToken = body["id_token"]
      if (typeof idToken === "string") traceIdToken(trace, idToken, expectations)
      return response
    } catch (error) {
      const came = error instanceof Error ? error.message : String(error)
      trace.note({ name, expected: "an answer", came, fits: false })
      throw error
    }
  }
}

function answerOf(name: string, { status }: Response, body: Record<string, unknown>): TraceStep {
  const { error, error_description } = body
  const parts = [error, error_description].filter((part) => typeof part === "string")
  const said = parts.length > 0 ? `and the error ${parts.join(": ")}` : ""
  const fits = status >= 200 && status < 300 && error === undefined
  const fields =
    fits && Object.keys(body).length > 0 ? `with ${Object.keys(body).join(", ")}` : said
  return {
    name,
    expected: "status 200, and no error",
    came: [`status ${status}`, fields].filter(Boolean).join(" "),
    fits,
  }
}

function jsonIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {} // what it is instead, its reader says
  }
}

/** The claims that are checked (OpenID Connect Core 3.1.3.7), before they are. */
function traceIdToken(trace: Trace, idToken: string, expectations: Expectations): void {
  const { provider, server, transaction } = expectations
  if (provider.type !== "oidc") return
  try {
    const claims = decodeJwt(idToken)
    const { alg, kid } = decodeProtectedHeader(idToken)
    const now = Math.floor(Date.now() / 1000)
    const audience = [claims.aud ?? []].flat()
    const has = (name: string, expected: string, came: unknown, fits: boolean) =>
      trace.note({ name: `ID token: ${name}`, expected, came: String(came ?? "none"), fits })
    trace.note({ name: "ID token", came: `signed with ${alg}, key ${kid ? "named" : "not named"}` })
    // Tenants that share a provider have issuers of their own, which are compared later.
    if (provider.tenantClaim === undefined) {
      has("iss", server.issuer, claims.iss, claims.iss === server.issuer)
    }
    has("aud", provider.clientId, audience.join(", "), audience.includes(provider.clientId))
    has("exp", "in the future", inSeconds(claims.exp, now), Number(claims.exp) > now)
    has("iat", "in the past", inSeconds(claims.iat, now), Number(claims.iat) <= now + 30)
    const { nonce } = claims
    trace.hide(nonce, claims.sub)
    trace.note({ name: "ID token: nonce", ...comparedShape(transaction.nonce, nonce) })
  } catch (error) {
    const came = error instanceof Error ? error.message : String(error)
    trace.note({ name: "ID token", expected: "a signed JWT", came, fits: false })
  }
}

function inSeconds(time: unknown, now: number): string {
  if (typeof time !== "number") return "none"
  const distance = Math.abs(time - now)
  return time >= now ? `in ${distance} s` : `${distance} s ago`
}
