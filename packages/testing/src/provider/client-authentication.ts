import { createHash, timingSafeEqual } from "node:crypto"
import type { JWTPayload, JWTVerifyOptions } from "jose"
import { decodeProtectedHeader, jwtVerify } from "jose"
import { getSingleParameter, ProviderError } from "./provider-error.ts"
import type { ProviderState } from "./provider-state.ts"
import type { ClientAuthMethod } from "./types.ts"

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

/** Returns the methods by which a token request authenticates its client. Honest clients use exactly one. */
export function detectAuthMethods(headers: Headers, body: URLSearchParams): ClientAuthMethod[] {
  const methods: ClientAuthMethod[] = []
  if (headers.has("authorization")) methods.push("client_secret_basic")
  if (body.has("client_secret")) methods.push("client_secret_post")
  const assertion = body.get("client_assertion")
  if (assertion !== null)
    methods.push(isHmacAssertion(assertion) ? "client_secret_jwt" : "private_key_jwt")
  if (methods.length === 0 && body.has("client_id")) methods.push("none")
  return methods
}

/** Authenticates the client of a token request (RFC 6749 section 2.3, RFC 7523). @throws ProviderError */
export async function authenticateClient(
  state: ProviderState,
  headers: Headers,
  body: URLSearchParams,
): Promise<void> {
  const [method, ...more] = detectAuthMethods(headers, body)
  if (more.length > 0)
    throw new ProviderError("invalid_request", "several methods of client authentication")
  if (method === undefined || !state.authMethods.includes(method)) {
    throw createInvalidClientError(`${method ?? "no client authentication"} is not accepted`)
  }
  const clientId = getSingleParameter(body, "client_id")
  if (clientId !== undefined && clientId !== state.clientId)
    throw createInvalidClientError("client_id is unknown")
  await checksByMethod[method](state, headers, body)
}

type ClientAuthCheck = (
  state: ProviderState,
  headers: Headers,
  body: URLSearchParams,
) => void | Promise<void>

const checksByMethod: Record<ClientAuthMethod, ClientAuthCheck> = {
  none: () => undefined,
  client_secret_basic: (state, headers) =>
    verifyBasicAuth(state, headers.get("authorization") ?? ""),
  client_secret_post: (state, _, body) => {
    if (getSingleParameter(body, "client_id") === undefined)
      throw createInvalidClientError("client_id is missing")
    verifyClientSecret(state, getSingleParameter(body, "client_secret") ?? "")
  },
  client_secret_jwt: (state, _, body) =>
    verifyClientAssertion(state, body, new TextEncoder().encode(state.clientSecret), "HS256"),
  private_key_jwt: (state, _, body) =>
    verifyClientAssertion(state, body, state.clientKey.publicKey, state.clientKey.alg),
}

/** Both parts are form-encoded before they are joined (RFC 6749 section 2.3.1). */
function verifyBasicAuth(state: ProviderState, authorization: string): void {
  const encoded = /^basic ([\w+/]+=*)$/i.exec(authorization)?.[1]
  if (!encoded) throw createInvalidClientError("the Authorization header is not Basic")
  const [id = "", secret = "", ...more] = Buffer.from(encoded, "base64").toString().split(":")
  if (more.length > 0) throw createInvalidClientError("client id and secret are not form-encoded")
  if (decodeFormComponent(id) !== state.clientId)
    throw createInvalidClientError("the client id is unknown")
  verifyClientSecret(state, decodeFormComponent(secret))
}

function decodeFormComponent(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch (cause) {
    throw createInvalidClientError("client id and secret are not form-encoded", cause)
  }
}

function verifyClientSecret(state: ProviderState, secret: string): void {
  const digest = (text: string): Uint8Array => createHash("sha256").update(text).digest()
  if (!timingSafeEqual(digest(secret), digest(state.clientSecret)))
    throw createInvalidClientError("wrong client secret")
}

async function verifyClientAssertion(
  state: ProviderState,
  body: URLSearchParams,
  key: CryptoKey | Uint8Array,
  alg: string,
): Promise<void> {
  if (getSingleParameter(body, "client_assertion_type") !== assertionType)
    throw createInvalidClientError("client_assertion_type")
  const { clientId, issuer, endpoints } = state
  const { jti } = await verifyAssertionJwt(
    getSingleParameter(body, "client_assertion") ?? "",
    key,
    {
      algorithms: [alg],
      issuer: clientId,
      subject: clientId,
      audience: [issuer, endpoints.token],
      requiredClaims: ["exp", "jti"],
    },
  )
  if (state.usedAssertionIds.has(String(jti)))
    throw createInvalidClientError("the client assertion was used before")
  state.usedAssertionIds.add(String(jti))
}

async function verifyAssertionJwt(
  assertion: string,
  key: CryptoKey | Uint8Array,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(assertion, key, options)).payload
  } catch (cause) {
    throw createInvalidClientError(`client assertion: ${String(cause)}`, cause)
  }
}

function isHmacAssertion(assertion: string): boolean {
  try {
    return decodeProtectedHeader(assertion).alg?.startsWith("HS") ?? false
  } catch {
    return false
  }
}

function createInvalidClientError(reason: string, cause?: unknown): ProviderError {
  return new ProviderError("invalid_client", reason, { status: 401, cause })
}
