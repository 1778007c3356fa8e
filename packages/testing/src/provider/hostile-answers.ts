import { json } from "./json.ts"
import type { Claims, Endpoints } from "./types.ts"

/** Changes the JSON of an honest answer, or replaces it by a whole response. */
export type AnswerScript = (honest: Claims, endpoints: Endpoints) => unknown

/** Token answers that a client has to refuse: security case 79. */
export type HostileTokenAnswer =
  | "status-400"
  | "status-401"
  | "status-500"
  | "html"
  | "empty"
  | "truncated"
  | "array"
  | "null"
  | "text"
  | "error-in-200"
  | "access-token-missing"
  | "access-token-empty"
  | "access-token-number"
  | "token-type-missing"
  | "token-type-unknown"
  | "token-type-number"
  | "refresh-token-number"
  | "scope-array"

/** Userinfo answers that a client has to refuse: security case 77. */
export type HostileUserinfo =
  | "status-401"
  | "status-403"
  | "status-500"
  | "html"
  | "empty"
  | "truncated"
  | "array"
  | "null"
  | "text"
  | "sub-other"
  | "id-missing"
  | "id-empty"
  | "id-null"
  | "id-object"

/** Discovery documents that a client has to refuse: security case 84. */
export type HostileDiscovery =
  | "status-404"
  | "status-500"
  | "html"
  | "empty"
  | "truncated"
  | "array"
  | "null"
  | "text"
  | "issuer-other"
  | "issuer-missing"
  | "issuer-trailing-slash"
  | "authorization-endpoint-missing"
  | "authorization-endpoint-javascript"
  | "token-endpoint-missing"
  | "http-endpoints"
  | "private-endpoints"
  | "loopback-endpoints"
  | "endpoint-number"

/** Discovery documents that a client has to cope with: no userinfo endpoint, no PKCE, nothing optional. */
export type OddDiscovery = "userinfo-missing" | "s256-missing" | "pkce-missing" | "minimal"

/** Key sets with which no ID token can be verified: security case 74. */
export type HostileJwks =
  | "status-404"
  | "status-500"
  | "html"
  | "empty"
  | "truncated"
  | "array"
  | "null"
  | "text"
  | "keys-missing"
  | "keys-none"

const jsonText = (text: string): Response =>
  new Response(text, { headers: { "content-type": "application/json" } })

const html = (status = 200): Response => {
  const page = "<!doctype html><title>Down for maintenance</title><p>Come back later."
  return new Response(page, { status, headers: { "content-type": "text/html" } })
}

const without =
  (name: string): AnswerScript =>
  (honest) => ({ ...honest, [name]: undefined })
const having =
  (changes: Claims): AnswerScript =>
  (honest) => ({ ...honest, ...changes })

/** Wrong in any JSON endpoint. */
const notAnObject = {
  html: () => html(),
  empty: () => jsonText(""),
  truncated: (honest: Claims) => jsonText(JSON.stringify(honest).slice(0, -9)),
  array: (honest: Claims) => json([honest]),
  null: () => json(null),
  text: () => json("all is well"),
} satisfies Record<string, AnswerScript>

/** The hostile token answers, by name; the names can be looped over. */
export const hostileTokenAnswers: Readonly<Record<HostileTokenAnswer, AnswerScript>> = {
  ...notAnObject,
  "status-400": () => json({ error: "invalid_grant", error_description: "No such code." }, 400),
  "status-401": () => json({ error: "invalid_client" }, 401),
  "status-500": () => html(500),
  "error-in-200": () => json({ error: "invalid_grant" }),
  "access-token-missing": without("access_token"),
  "access-token-empty": having({ access_token: "" }),
  "access-token-number": having({ access_token: 42 }),
  "token-type-missing": without("token_type"),
  "token-type-unknown": having({ token_type: "mac" }),
  "token-type-number": having({ token_type: 42 }),
  "refresh-token-number": having({ refresh_token: 42 }),
  "scope-array": having({ scope: ["openid"] }),
}

/** The hostile userinfo answers, by name. `id-…` concern `sub`, or `id` of the social dialect. */
export const hostileUserinfos: Readonly<Record<HostileUserinfo, AnswerScript>> = {
  ...notAnObject,
  "status-401": () => json({ error: "invalid_token" }, 401, { "www-authenticate": "Bearer" }),
  "status-403": () => json({ error: "insufficient_scope" }, 403),
  "status-500": () => html(500),
  "sub-other": (honest) => identified(honest, "somebody-else"),
  "id-missing": (honest) => identified(honest, undefined),
  "id-empty": (honest) => identified(honest, ""),
  "id-null": (honest) => identified(honest, null),
  "id-object": (honest) => identified(honest, { toString: "ada" }),
}

/** The hostile discovery documents, by name. */
export const hostileDiscoveries: Readonly<Record<HostileDiscovery, AnswerScript>> = {
  ...notAnObject,
  "status-404": () => html(404),
  "status-500": () => html(500),
  "issuer-other": having({ issuer: "https://other.example" }),
  "issuer-missing": without("issuer"),
  "issuer-trailing-slash": (honest) => ({ ...honest, issuer: `${honest.issuer}/` }),
  "authorization-endpoint-missing": without("authorization_endpoint"),
  "authorization-endpoint-javascript": having({ authorization_endpoint: "javascript:alert(1)//" }),
  "token-endpoint-missing": without("token_endpoint"),
  "http-endpoints": (honest) => moved(honest, "http://plain.example"),
  "private-endpoints": (honest) => moved(honest, "https://169.254.169.254"),
  "loopback-endpoints": (honest) => moved(honest, "https://127.0.0.1:9"),
  "endpoint-number": having({ token_endpoint: 42 }),
}

/** The odd but valid discovery documents, by name. */
export const oddDiscoveries: Readonly<Record<OddDiscovery, AnswerScript>> = {
  "userinfo-missing": without("userinfo_endpoint"),
  "s256-missing": having({ code_challenge_methods_supported: ["plain"] }),
  "pkce-missing": without("code_challenge_methods_supported"),
  minimal: ({ issuer, authorization_endpoint, token_endpoint, jwks_uri, ...rest }) => ({
    issuer,
    authorization_endpoint,
    token_endpoint,
    jwks_uri,
    response_types_supported: rest.response_types_supported,
    subject_types_supported: rest.subject_types_supported,
    id_token_signing_alg_values_supported: rest.id_token_signing_alg_values_supported,
  }),
}

/** The hostile key sets, by name. */
export const hostileJwks: Readonly<Record<HostileJwks, AnswerScript>> = {
  ...notAnObject,
  "status-404": () => html(404),
  "status-500": () => html(500),
  "keys-missing": () => ({}),
  "keys-none": () => ({ keys: [] }),
}

/** Gives a profile another identity: `sub` of OpenID Connect, `id` of the social dialect. */
function identified(honest: Claims, id: unknown): Claims {
  return "id" in honest && !("sub" in honest) ? { ...honest, id } : { ...honest, sub: id }
}

/** Moves the endpoints that the server of the application would call. */
function moved(honest: Claims, origin: string): Claims {
  const at = (path: string): string => `${origin}${path}`
  const endpoints = { token_endpoint: at("/token"), jwks_uri: at("/jwks") }
  return { ...honest, ...endpoints, userinfo_endpoint: at("/userinfo") }
}
