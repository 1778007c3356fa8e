import { createJsonResponse } from "./json-response.ts"
import type { Claims, Endpoints } from "./types.ts"

/** Changes the JSON of an honest response, or replaces the response. */
export type JsonResponseModifier = (honest: Claims, endpoints: Endpoints) => unknown

/** Token responses that a client must refuse. */
export type HostileTokenResponse =
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
  | "access-token-number"
  | "token-type-unknown"
  | "token-type-number"
  | "refresh-token-number"

/** Token responses that a client must accept if the claims come from the ID token, and refuse otherwise. */
export type UnusualTokenResponse = "access-token-missing" | "access-token-empty"

/** Userinfo responses that a client must refuse. */
export type HostileUserinfoResponse =
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

/** Discovery documents that a client must refuse. */
export type HostileDiscoveryDocument =
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

/** Discovery documents that a client must accept: no userinfo endpoint, no PKCE, no optional members. */
export type UnusualDiscoveryDocument =
  | "userinfo-missing"
  | "s256-missing"
  | "pkce-missing"
  | "minimal"

/** Key sets that verify no ID token. */
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

const createJsonTextResponse = (text: string): Response =>
  new Response(text, { headers: { "content-type": "application/json" } })

const createHtmlResponse = (status = 200): Response => {
  const page = "<!doctype html><title>Down for maintenance</title><p>Come back later."
  return new Response(page, { status, headers: { "content-type": "text/html" } })
}

const withoutMember =
  (name: string): JsonResponseModifier =>
  (honest) => ({ ...honest, [name]: undefined })
const withMembers =
  (changes: Claims): JsonResponseModifier =>
  (honest) => ({ ...honest, ...changes })

/** Invalid at any JSON endpoint. */
const invalidJsonResponses = {
  html: () => createHtmlResponse(),
  empty: () => createJsonTextResponse(""),
  truncated: (honest: Claims) => createJsonTextResponse(JSON.stringify(honest).slice(0, -9)),
  array: (honest: Claims) => createJsonResponse([honest]),
  null: () => createJsonResponse(null),
  text: () => createJsonResponse("all is well"),
} satisfies Record<string, JsonResponseModifier>

/** The hostile token responses, by name. */
export const hostileTokenResponses: Readonly<Record<HostileTokenResponse, JsonResponseModifier>> = {
  ...invalidJsonResponses,
  "status-400": () =>
    createJsonResponse({ error: "invalid_grant", error_description: "No such code." }, 400),
  "status-401": () => createJsonResponse({ error: "invalid_client" }, 401),
  "status-500": () => createHtmlResponse(500),
  "error-in-200": () => createJsonResponse({ error: "invalid_grant" }),
  "access-token-number": withMembers({ access_token: 42 }),
  "token-type-unknown": withMembers({ token_type: "mac" }),
  "token-type-number": withMembers({ token_type: 42 }),
  "refresh-token-number": withMembers({ refresh_token: 42 }),
}

/** The unusual token responses, by name. */
export const unusualTokenResponses: Readonly<Record<UnusualTokenResponse, JsonResponseModifier>> = {
  "access-token-missing": withoutMember("access_token"),
  "access-token-empty": withMembers({ access_token: "" }),
}

/** The hostile userinfo responses, by name. Those with `id-…` concern `sub`, or `id` in the social dialect. */
export const hostileUserinfoResponses: Readonly<
  Record<HostileUserinfoResponse, JsonResponseModifier>
> = {
  ...invalidJsonResponses,
  "status-401": () =>
    createJsonResponse({ error: "invalid_token" }, 401, { "www-authenticate": "Bearer" }),
  "status-403": () => createJsonResponse({ error: "insufficient_scope" }, 403),
  "status-500": () => createHtmlResponse(500),
  "sub-other": (honest) => withUserId(honest, "somebody-else"),
  "id-missing": (honest) => withUserId(honest, undefined),
  "id-empty": (honest) => withUserId(honest, ""),
  "id-null": (honest) => withUserId(honest, null),
  "id-object": (honest) => withUserId(honest, { toString: "ada" }),
}

/** The hostile discovery documents, by name. */
export const hostileDiscoveryDocuments: Readonly<
  Record<HostileDiscoveryDocument, JsonResponseModifier>
> = {
  ...invalidJsonResponses,
  "status-404": () => createHtmlResponse(404),
  "status-500": () => createHtmlResponse(500),
  "issuer-other": withMembers({ issuer: "https://other.example" }),
  "issuer-missing": withoutMember("issuer"),
  "issuer-trailing-slash": (honest) => ({ ...honest, issuer: `${honest.issuer}/` }),
  "authorization-endpoint-missing": withoutMember("authorization_endpoint"),
  "authorization-endpoint-javascript": withMembers({
    authorization_endpoint: "javascript:alert(1)//",
  }),
  "token-endpoint-missing": withoutMember("token_endpoint"),
  "http-endpoints": (honest) => withEndpointsAt(honest, "http://plain.example"),
  "private-endpoints": (honest) => withEndpointsAt(honest, "https://169.254.169.254"),
  "loopback-endpoints": (honest) => withEndpointsAt(honest, "https://127.0.0.1:9"),
  "endpoint-number": withMembers({ token_endpoint: 42 }),
}

/** The unusual discovery documents, by name. */
export const unusualDiscoveryDocuments: Readonly<
  Record<UnusualDiscoveryDocument, JsonResponseModifier>
> = {
  "userinfo-missing": withoutMember("userinfo_endpoint"),
  "s256-missing": withMembers({ code_challenge_methods_supported: ["plain"] }),
  "pkce-missing": withoutMember("code_challenge_methods_supported"),
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
export const hostileJwks: Readonly<Record<HostileJwks, JsonResponseModifier>> = {
  ...invalidJsonResponses,
  "status-404": () => createHtmlResponse(404),
  "status-500": () => createHtmlResponse(500),
  "keys-missing": () => ({}),
  "keys-none": () => ({ keys: [] }),
}

/** Changes the identity of a profile: `sub` of OpenID Connect, `id` of the social dialect. */
function withUserId(honest: Claims, id: unknown): Claims {
  return "id" in honest && !("sub" in honest) ? { ...honest, id } : { ...honest, sub: id }
}

/** Moves the endpoints that the application's server calls. */
function withEndpointsAt(honest: Claims, origin: string): Claims {
  const createUrl = (path: string): string => `${origin}${path}`
  const endpoints = { token_endpoint: createUrl("/token"), jwks_uri: createUrl("/jwks") }
  return { ...honest, ...endpoints, userinfo_endpoint: createUrl("/userinfo") }
}
