/** The ID token: signature, and the rules that the protocol library leaves to us (OIDC Core 3.1.3.7). */
import { compactVerify, errors, type JWK } from "jose"
import type { AuthorizationServer, IDToken } from "oauth4webapi"
import { hashLeftHalf } from "../../crypto/digest.ts"
import { OAuthCallbackError } from "../../errors.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { KeySet, ProviderMetadata } from "./provider-metadata.ts"
import { assertKeyBelongsToIssuer } from "./tenant-issuer.ts"
import { maxClockSkew } from "./token-request.ts"

/** Signatures by a key that only the provider has. HMAC and `none` prove nothing of that kind. */
const asymmetricAlgorithms: ReadonlySet<string> = new Set(
  "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519 ML-DSA-44 ML-DSA-65 ML-DSA-87".split(
    " ",
  ),
)

/**
 * Verifies an ID token whose claims were already compared with what was expected.
 *
 * @throws OAuthCallbackError when signature, type, times, subject, `azp` or `at_hash` are not as they have to be
 */
export async function verifyIdToken(
  provider: ResolvedOAuthProvider,
  server: AuthorizationServer,
  metadata: ProviderMetadata,
  idToken: string,
  claims: IDToken,
  accessToken: string,
): Promise<void> {
  const createError = (expected: string, cause?: unknown) =>
    new OAuthCallbackError({ provider: provider.id, expected, cause })
  const { alg, typ, key } = await verifySignature(provider, server, metadata, idToken).catch(
    (cause) => {
      throw createError("the ID token to be signed by a key of the provider", cause)
    },
  )
  assertKeyBelongsToIssuer(provider, key, claims)
  if (typ !== undefined && !/^(?:application\/)?jwt$/i.test(String(typ))) {
    throw createError("an ID token, not a token of another type (RFC 8725 section 3.11)")
  }
  if (claims.sub.length === 0 || claims.sub.length > 255) {
    throw createError("`sub` in the ID token to have 1 to 255 characters")
  }
  // The protocol library looks at it only where there are several audiences.
  if (claims["azp"] !== undefined && claims["azp"] !== provider.clientId) {
    throw createError("`azp` in the ID token to be this client")
  }
  if (claims.iat > Math.floor(Date.now() / 1000) + maxClockSkew) {
    throw createError("`iat` in the ID token not to lie in the future", { claim: "iat" })
  }
  const hash = claims["at_hash"]
  if (hash !== undefined && hash !== (await hashLeftHalf(getHashAlgorithm(alg), accessToken))) {
    throw createError("`at_hash` in the ID token to fit the access token")
  }
}

interface VerifiedSignature {
  readonly alg: string
  readonly typ: unknown
  /** The key that signed, as the provider describes it. */
  readonly key: JWK | undefined
}

async function verifySignature(
  provider: ResolvedOAuthProvider,
  server: AuthorizationServer,
  metadata: ProviderMetadata,
  idToken: string,
): Promise<VerifiedSignature> {
  const options = { algorithms: getAllowedAlgorithms(provider, server) }
  const verifyWithKeys = async (keys: KeySet): Promise<VerifiedSignature> => {
    const { alg, typ, kid } = (await compactVerify(idToken, keys, options)).protectedHeader
    return { alg, typ, key: keys.jwks().keys.find((key) => key.kid === kid) }
  }
  try {
    return await verifyWithKeys(await metadata.getKeys())
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
    // The provider may have changed its keys since they were fetched.
    return verifyWithKeys(await metadata.refreshKeys())
  }
}

function getAllowedAlgorithms(
  provider: ResolvedOAuthProvider,
  server: AuthorizationServer,
): string[] {
  const configured = provider.client.id_token_signed_response_alg
  const supported = server.id_token_signing_alg_values_supported
  const allowed = configured ? [configured] : (supported ?? ["RS256"])
  return allowed.filter((algorithm) => asymmetricAlgorithms.has(algorithm))
}

/** The hash of the algorithm that signed (OIDC Core 3.1.3.6). */
function getHashAlgorithm(algorithm: string): "SHA-256" | "SHA-384" | "SHA-512" {
  if (algorithm.endsWith("256")) return "SHA-256"
  return algorithm.endsWith("384") ? "SHA-384" : "SHA-512"
}
