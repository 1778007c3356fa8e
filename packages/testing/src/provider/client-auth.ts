import { createHash, timingSafeEqual } from "node:crypto"
import type { JWTPayload, JWTVerifyOptions } from "jose"
import { decodeProtectedHeader, jwtVerify } from "jose"
import { only, ProviderRefusal } from "./refusal.ts"
import type { ProviderState } from "./state.ts"
import type { ClientAuthMethod } from "./types.ts"

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

/** Tells by which methods a token request proves its client; an honest one uses exactly one. */
export function authMethodsOf(headers: Headers, body: URLSearchParams): ClientAuthMethod[] {
  const methods: ClientAuthMethod[] = []
  if (headers.has("authorization")) methods.push("client_secret_basic")
  if (body.has("client_secret")) methods.push("client_secret_post")
  const assertion = body.get("client_assertion")
  if (assertion !== null) methods.push(isHmac(assertion) ? "client_secret_jwt" : "private_key_jwt")
  if (methods.length === 0 && body.has("client_id")) methods.push("none")
  return methods
}

/** Checks the client of a token request (RFC 6749 section 2.3, RFC 7523). @throws ProviderRefusal */
export async function authenticate(
  state: ProviderState,
  headers: Headers,
  body: URLSearchParams,
): Promise<void> {
  const [method, ...more] = authMethodsOf(headers, body)
  if (more.length > 0)
    throw new ProviderRefusal("invalid_request", "two kinds of client authentication")
  if (method === undefined || !state.authMethods.includes(method)) {
    throw unknownClient(`${method ?? "no client authentication"} is not taken here`)
  }
  const named = only(body, "client_id")
  if (named !== undefined && named !== state.clientId) throw unknownClient("client_id is unknown")
  await checks[method](state, headers, body)
}

type Check = (state: ProviderState, headers: Headers, body: URLSearchParams) => void | Promise<void>

const checks: Record<ClientAuthMethod, Check> = {
  none: () => undefined,
  client_secret_basic: (state, headers) => checkBasic(state, headers.get("authorization") ?? ""),
  client_secret_post: (state, _, body) => {
    if (only(body, "client_id") === undefined) throw unknownClient("client_id is missing")
    checkSecret(state, only(body, "client_secret") ?? "")
  },
  client_secret_jwt: (state, _, body) =>
    checkAssertion(state, body, new TextEncoder().encode(state.clientSecret), "HS256"),
  private_key_jwt: (state, _, body) =>
    checkAssertion(state, body, state.clientKey.publicKey, state.clientKey.alg),
}

/** Both halves are form-encoded before they are joined (RFC 6749 section 2.3.1). */
function checkBasic(state: ProviderState, authorization: string): void {
  const encoded = /^basic ([\w+/]+=*)$/i.exec(authorization)?.[1]
  if (!encoded) throw unknownClient("the Authorization header is not Basic")
  const [id = "", secret = "", ...more] = Buffer.from(encoded, "base64").toString().split(":")
  if (more.length > 0) throw unknownClient("client id and secret are not form-encoded")
  if (formDecoded(id) !== state.clientId) throw unknownClient("the client id is unknown")
  checkSecret(state, formDecoded(secret))
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch (cause) {
    throw unknownClient("client id and secret are not form-encoded", cause)
  }
}

function checkSecret(state: ProviderState, secret: string): void {
  const digest = (text: string): Uint8Array => createHash("sha256").update(text).digest()
  if (!timingSafeEqual(digest(secret), digest(state.clientSecret)))
    throw unknownClient("wrong client secret")
}

async function checkAssertion(
  state: ProviderState,
  body: URLSearchParams,
  key: CryptoKey | Uint8Array,
  alg: string,
): Promise<void> {
  if (only(body, "client_assertion_type") !== assertionType)
    throw unknownClient("client_assertion_type")
  const { clientId, issuer, endpoints } = state
  const { jti } = await verified(only(body, "client_assertion") ?? "", key, {
    algorithms: [alg],
    issuer: clientId,
    subject: clientId,
    audience: [issuer, endpoints.token],
    requiredClaims: ["exp", "jti"],
  })
  if (state.assertions.has(String(jti))) throw unknownClient("the client assertion was used before")
  state.assertions.add(String(jti))
}

async function verified(
  assertion: string,
  key: CryptoKey | Uint8Array,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(assertion, key, options)).payload
  } catch (cause) {
    throw unknownClient(`client assertion: ${String(cause)}`, cause)
  }
}

function isHmac(assertion: string): boolean {
  try {
    return decodeProtectedHeader(assertion).alg?.startsWith("HS") ?? false
  } catch {
    return false
  }
}

function unknownClient(reason: string, cause?: unknown): ProviderRefusal {
  return new ProviderRefusal("invalid_client", reason, { status: 401, cause })
}
