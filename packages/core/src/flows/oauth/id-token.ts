/**
 * Verifies what the protocol library leaves to its caller: the signature and some claims (OIDC Core 3.1.3.7). The
 * protocol library verifies issuer, audience, expiry and nonce in `token-request.ts`.
 */
import {
  type CompactJWSHeaderParameters,
  compactVerify,
  createLocalJWKSet,
  decodeJwt,
  type JWK,
  type JWTPayload,
} from "jose"
import { type AuthorizationServer, clockTolerance, type IDToken } from "oauth4webapi"
import { verifyJws } from "../../crypto/jws.ts"
import { isOutage } from "../../errors/classify-error.ts"
import { CallbackRouteError, OAuthCallbackError } from "../../errors.ts"
import { omitUndefined } from "../../objects.ts"
import type { Authentication } from "../../proven-identity.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import { primitives } from "../../runtime/platform.ts"
import type { TokenSet } from "../../types.ts"
import type { ProviderClient, TokenEndpointClient } from "./oauth-context.ts"
import { createClockError, outageHint } from "./provider-error.ts"
import { getProviderKeys, type ProviderKeys, selectKey } from "./provider-keys.ts"

/** The largest difference between this clock and a provider's that may be tolerated, in seconds. */
export const maxClockTolerance = 300
const defaultClockTolerance = 30

/** Returns the tolerated difference between this clock and the provider's, in seconds: for `exp`, `iat` and `nbf`. */
export function getClockTolerance({ clockTolerance: own, client }: ResolvedOAuthProvider): number {
  const ofLibrary = (client as { [clockTolerance]?: number })[clockTolerance]
  return Math.min(own ?? ofLibrary ?? defaultClockTolerance, maxClockTolerance)
}

/**
 * Algorithms whose signatures only the provider can make. HMAC is used only if the definition of the provider asks for
 * it, so that no token and no metadata can choose it; `none` never.
 */
const asymmetricAlgorithms: ReadonlySet<string> = new Set([
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"],
  ...["EdDSA", "Ed25519", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87"],
])

/**
 * Verifies an ID token whose issuer, audience, expiry and nonce the protocol library has checked.
 *
 * @throws OAuthCallbackError when signature, type, subject, `azp`, `iat` or `at_hash` are wrong
 */
export async function verifyIdToken(
  client: ProviderClient,
  { id_token = "", access_token }: TokenSet,
  claims: IDToken,
): Promise<void> {
  const { provider } = client
  const createError = (expected: string, cause?: unknown) =>
    new OAuthCallbackError({ provider: provider.id, expected, cause })
  const assert = (holds: boolean, expected: string, cause?: unknown) => {
    if (!holds) throw createError(expected, cause)
  }
  const { alg, typ } = await verifySignature(client, id_token, claims).catch((cause) => {
    if (isOutage(cause)) {
      const summary = "The keys of the provider could not be fetched."
      throw new CallbackRouteError({ summary, provider: provider.id, cause, hint: outageHint })
    }
    throw createError("the ID token to be signed by a key of its issuer", cause)
  })
  const { sub, azp, iat, at_hash } = claims
  const now = Math.floor(Date.now() / 1000)
  assert(
    typ === undefined || /^(?:application\/)?jwt$/i.test(String(typ)),
    "an ID token, not a token of another type (RFC 8725 section 3.11)",
  )
  assert(sub.length > 0 && sub.length <= 255, "`sub` in the ID token to have 1 to 255 characters")
  // The protocol library checks `azp` only if there are several audiences.
  assert(azp === undefined || azp === provider.clientId, "`azp` in the ID token to be this client")
  const tolerance = getClockTolerance(provider)
  if (iat > now + tolerance) throw createClockError(provider.id, "iat", { iat, tolerance })
  if (at_hash === undefined || access_token === undefined) return
  const hash = await hashLeftHalf(alg, access_token)
  assert(at_hash === hash, "`at_hash` in the ID token to fit the access token")
}

/** A provider whose keys sign tokens. */
type KeyOwner = Pick<TokenEndpointClient, "provider" | "server">

/**
 * Verifies the signature of a token by the rules for ID tokens, and returns its header.
 *
 * @throws an error of `jose`; InvalidEndpoints without keys
 */
export async function verifySignature(
  client: KeyOwner,
  idToken: string,
  claims: Readonly<Record<string, unknown>>,
): Promise<CompactJWSHeaderParameters> {
  const { provider, server } = client
  const configured = provider.client.id_token_signed_response_alg
  if (configured === "HS256") return verifyHmac(provider.clientSecret, idToken)
  const supported = server.id_token_signing_alg_values_supported ?? ["RS256"]
  const allowed = configured ? [configured] : supported
  const algorithms = allowed.filter((algorithm) => asymmetricAlgorithms.has(algorithm))
  return verifyJws(idToken, getKeysOfIssuer(client, claims), algorithms)
}

/**
 * Verifies a signature with the client secret (OpenID Connect Core 10.1). RFC 7518 3.2: a key has at least 256 bits.
 */
async function verifyHmac(secret = "", idToken: string) {
  const key = new TextEncoder().encode(secret)
  if (key.length < 32) throw new TypeError("HS256 needs a client secret of at least 32 bytes")
  return (await compactVerify(idToken, key, { algorithms: ["HS256"] })).protectedHeader
}

/**
 * Returns the left half of a hash as base64url: `at_hash` of OpenID Connect Core 3.1.3.6.
 *
 * @param signatureAlgorithm its hash is used, such as SHA-256 for RS256
 */
async function hashLeftHalf(signatureAlgorithm: string, text: string): Promise<string> {
  const size = (["256", "384"] as const).find((end) => signatureAlgorithm.endsWith(end)) ?? "512"
  const hash = await primitives.digest(`SHA-${size}`, text)
  return primitives.encode(hash.slice(0, hash.length / 2), "base64url")
}

/** Returns what an ID token says of the authentication. Leaves out values of the wrong type. */
export function readAuthentication({ auth_time, acr, amr, sid }: IDToken): Authentication {
  const methods = Array.isArray(amr) ? amr.filter(isShortText).slice(0, 16) : []
  return omitUndefined({
    authTime: isTime(auth_time) ? Math.min(auth_time, Math.floor(Date.now() / 1000)) : undefined,
    acr: isShortText(acr) ? acr : undefined,
    amr: methods.length > 0 ? methods : undefined,
    providerSessionId: isShortText(sid) ? sid : undefined,
  })
}

/**
 * Verifies that the provider authenticated the user as late as the sign-in asked for (OpenID Connect Core 3.1.3.7,
 * rule 11). Consent, and the way back, may take any time: what counts is when the sign-in began.
 *
 * @throws OAuthCallbackError
 */
export function verifyAuthTime(
  { provider, server, transaction }: ProviderClient,
  { auth_time }: IDToken,
): void {
  const { authentication, iat = Math.floor(Date.now() / 1000) } = transaction
  if (!authentication) return
  const { maxAge, needsAuthTime } = authentication
  const isRequired =
    needsAuthTime === "always" ||
    (needsAuthTime === "if-supported" && server.claims_supported?.includes("auth_time") === true)
  if (
    auth_time === undefined ? !isRequired : auth_time >= iat - maxAge - getClockTolerance(provider)
  )
    return
  throw new OAuthCallbackError({
    provider: provider.id,
    expected: `\`auth_time\` in the ID token to be at most ${maxAge} seconds before the sign-in began`,
    received: auth_time === undefined ? "no `auth_time`" : `${iat - auth_time} seconds before`,
    hint:
      auth_time === undefined
        ? "A provider must send it if the request has `max_age`. If it cannot, do not request `max_age`."
        : "The provider did not ask the user to sign in again. Check that it supports `max_age` and `prompt`.",
  })
}

const isTime = (value: unknown): value is number => Number.isFinite(value) && Number(value) > 0

/** Whether a claim is text that may be stored, with the session for example. */
export const isShortText = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= 255

// Several tenants may share a provider. Each has its own issuer.
const tenantPlaceholder = "{tenantid}"
const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Returns the issuer that an ID token must name: the provider's, or that of the tenant in the token. The token is not
 * verified at this point: its `iss` and its signature are checked later.
 *
 * @throws OAuthCallbackError when tenants share the provider and the token does not name one
 */
export function resolveIssuer(
  { id, tenantClaim }: ResolvedOAuthProvider,
  server: AuthorizationServer,
  idToken: unknown,
): string {
  if (tenantClaim === undefined) return server.issuer
  const tenant = decodeClaims(String(idToken))?.[tenantClaim]
  // Only a UUID, because any other text could change the rest of the URL.
  if (typeof tenant === "string" && uuidPattern.test(tenant)) {
    return server.issuer.replace(tenantPlaceholder, tenant)
  }
  const expected = `\`${tenantClaim}\` in the ID token to name a tenant`
  throw new OAuthCallbackError({ provider: id, expected })
}

/** Returns the tenant in an issuer; undefined for an issuer that is none of the provider's tenants. */
export function findTenant(
  issuer: string,
  { issuer: template }: AuthorizationServer,
): string | undefined {
  const [start = "", end = ""] = template.split(tenantPlaceholder)
  const tenant = issuer.slice(start.length, issuer.length - end.length)
  return uuidPattern.test(tenant) && issuer === start + tenant + end ? tenant : undefined
}

/** Returns the claims of a token that is not verified yet; undefined if it is not a JWT. */
export function decodeClaims(token: string): JWTPayload | undefined {
  try {
    return decodeJwt(token)
  } catch {
    return undefined
  }
}

/** Claims that an ID token may lack. The protocol library does not accept null for them. */
const optionalClaims = ["azp", "at_hash", "nonce", "auth_time", "nbf"]

/** Returns an ID token without the optional claims that are null. Its signature is verified in the original. */
export function omitNullClaims(idToken: unknown): unknown {
  const claims = typeof idToken === "string" ? decodeClaims(idToken) : undefined
  const absent = claims ? optionalClaims.filter((name) => claims[name] === null) : []
  if (absent.length === 0) return idToken
  const present = Object.entries({ ...claims }).filter(([name]) => !absent.includes(name))
  const [header, , signature] = String(idToken).split(".")
  const payload = new TextEncoder().encode(JSON.stringify(Object.fromEntries(present)))
  return [header, primitives.encode(payload, "base64url"), signature].join(".")
}

/**
 * Returns the resolver for the keys that may sign for the issuer of a token. In a key set that tenants share, each key
 * names its issuer. Keys of other issuers are left out, because a token without a key id is checked against every key.
 */
function getKeysOfIssuer(
  { provider, server }: KeyOwner,
  claims: Readonly<Record<string, unknown>>,
): ProviderKeys["getKey"] {
  const { tenantClaim } = provider
  const { getKey, listKeys } = getProviderKeys(provider, server)
  if (tenantClaim === undefined) return getKey
  const isOwn = (key: JWK) => {
    const { issuer } = key as { issuer?: unknown } // not in RFC 7517, so its type is unknown
    if (typeof issuer !== "string") return true
    return issuer.replace(tenantPlaceholder, String(claims[tenantClaim])) === claims.iss
  }
  return async (...token) => {
    await getKey(...token) // fetches the keys that are listed
    return selectKey(createLocalJWKSet({ keys: listKeys().filter(isOwn) }))(...token)
  }
}
