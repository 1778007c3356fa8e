/**
 * Verifies what the protocol library leaves to its caller: the signature and some claims (OIDC Core 3.1.3.7). The
 * protocol library verifies issuer, audience, expiry and nonce in `token-request.ts`.
 */
import { type CompactJWSHeaderParameters, compactVerify } from "jose"
import type { IDToken } from "oauth4webapi"
import { verifyJws } from "../../crypto/jws.ts"
import { OAuthCallbackError } from "../../errors.ts"
import { primitives } from "../../runtime/platform.ts"
import type { TokenSet } from "../../types.ts"
import type { KeyClient, ProviderClient } from "./oauth-context.ts"
import { getKeysOfIssuer } from "./tenant-issuer.ts"

/** Tolerated difference between this clock and the provider's, in seconds: for `exp` and `iat`. */
export const maxProviderClockSkew = 30

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
  { id_token = "", access_token = "" }: TokenSet,
  claims: IDToken,
): Promise<void> {
  const { provider } = client
  const createError = (expected: string, cause?: unknown) =>
    new OAuthCallbackError({ provider: provider.id, expected, cause })
  const assert = (holds: boolean, expected: string, cause?: unknown) => {
    if (!holds) throw createError(expected, cause)
  }
  const { alg, typ } = await verifySignature(client, id_token, claims).catch((cause) => {
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
  const isIssued = iat <= now + maxProviderClockSkew
  assert(isIssued, "`iat` in the ID token not to lie in the future", { claim: "iat" })
  assert(
    at_hash === undefined || at_hash === (await hashLeftHalf(alg, access_token)),
    "`at_hash` in the ID token to fit the access token",
  )
}

/**
 * Verifies the signature of a token by the rules for ID tokens, and returns its header.
 *
 * @throws an error of `jose`; InvalidEndpoints without keys
 */
export async function verifySignature(
  client: KeyClient,
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
