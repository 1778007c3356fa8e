import { Comeback } from "./comeback.ts"
import { responseScript } from "./misbehaviour.ts"
import { only, ProviderRefusal, required } from "./refusal.ts"
import type { ProviderState } from "./state.ts"
import { secretText } from "./state.ts"
import type { ScriptedUser } from "./types.ts"

/** The error with which a person or the provider ends an attempt (RFC 6749 section 4.1.2.1). */
export interface Denial {
  error: string
  error_description?: string
  error_uri?: string
}

interface AuthorizationRequest {
  readonly redirectUri: string
  readonly state: string | undefined
  readonly posted: boolean
  readonly scope: string
  readonly nonce: string | undefined
  readonly challenge: string | undefined
}

/** Plays the person who approves. @throws ProviderRefusal when the request is wrong. */
export function approve(state: ProviderState, to: string | URL, user?: ScriptedUser): Comeback {
  const { redirectUri, scope, nonce, challenge, ...request } = readRequest(state, new URL(to))
  const code = secretText(state, "code-")
  state.codes.set(code, { user: user ?? state.user, scope, redirectUri, nonce, challenge })
  return respond(state, { redirectUri, scope, nonce, challenge, ...request }, { code })
}

/** Plays the person who refuses. @throws ProviderRefusal when the request is wrong. */
export function deny(state: ProviderState, to: string | URL, denial: Denial): Comeback {
  return respond(state, readRequest(state, new URL(to)), { ...denial })
}

function respond(
  state: ProviderState,
  request: AuthorizationRequest,
  fields: Record<string, string>,
): Comeback {
  if (request.state !== undefined) fields.state = request.state
  if (state.dialect !== "social") fields.iss = state.issuer
  const from = new URL(state.issuer).origin
  const comeback = new Comeback(request.redirectUri, fields, request.posted, from)
  responseScript(state.faults)?.(comeback.parameters)
  return comeback
}

/** Reads an authorization request as a strict provider does (RFC 6749 section 4.1.1, RFC 7636 section 4.3). */
function readRequest(state: ProviderState, url: URL): AuthorizationRequest {
  const query = url.searchParams
  state.authorizationRequests.push(new URLSearchParams(query))
  const endpoint = new URL(state.endpoints.authorize)
  expect(
    url.origin + url.pathname === endpoint.href,
    `${url.href} is not my authorization endpoint`,
  )
  expect(required(query, "response_type") === "code", "response_type is not code")
  expect(required(query, "client_id") === state.clientId, "client_id is unknown")
  expect(!query.has("request") && !query.has("request_uri"), "request objects are not taken")
  const mode = only(query, "response_mode") ?? "query"
  expect(mode === "query" || mode === "form_post", `response_mode ${mode} is not supported`)
  return {
    redirectUri: readRedirectUri(state, required(query, "redirect_uri")),
    state: only(query, "state"),
    posted: mode === "form_post",
    scope: only(query, "scope") ?? "",
    nonce: only(query, "nonce"),
    challenge: readChallenge(query),
  }
}

function readRedirectUri({ redirectUris }: ProviderState, uri: string): string {
  expect(
    URL.canParse(uri) && !uri.includes("#"),
    `redirect_uri ${uri} is not an absolute URL without fragment`,
  )
  const registered = redirectUris?.includes(uri) ?? true
  expect(registered, `redirect_uri ${uri} is not registered`)
  return uri
}

function readChallenge(query: URLSearchParams): string | undefined {
  const challenge = only(query, "code_challenge")
  if (challenge === undefined) return undefined
  expect(only(query, "code_challenge_method") === "S256", "code_challenge_method is not S256")
  expect(/^[\w-]{43}$/.test(challenge), "code_challenge is not a SHA-256 in base64url")
  return challenge
}

function expect(fine: boolean, complaint: string): void {
  if (!fine) throw new ProviderRefusal("invalid_request", complaint)
}
