/** The ID token: signature, and the rules that the protocol library leaves to us (OIDC Core 3.1.3.7). */
import { compactVerify, errors, type JWK } from "jose"
import type { AuthorizationServer, IDToken } from "oauth4webapi"
import { leftHalf } from "../../crypto/digest.ts"
import { OAuthCallbackError } from "../../errors.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved.ts"
import type { KeySet, Metadata } from "./metadata.ts"
import { assertKeyOfIssuer } from "./tenant-issuer.ts"
import { tolerance } from "./token.ts"

/** Signatures by a key that only the provider has. HMAC and `none` prove nothing of that kind. */
const asymmetric: ReadonlySet<string> = new Set(
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
  metadata: Metadata,
  idToken: string,
  claims: IDToken,
  accessToken: string,
): Promise<void> {
  const refuse = (expected: string, cause?: unknown) =>
    new OAuthCallbackError({ provider: provider.id, expected, cause })
  const { alg, typ, key } = await signatureOf(provider, server, metadata, idToken).catch(
    (cause) => {
      throw refuse("the ID token to be signed by a key of the provider", cause)
    },
  )
  assertKeyOfIssuer(provider, key, claims)
  if (typ !== undefined && !/^(?:application\/)?jwt$/i.test(String(typ))) {
    throw refuse("an ID token, not a token of another type (RFC 8725 section 3.11)")
  }
  if (claims.sub.length === 0 || claims.sub.length > 255) {
    throw refuse("`sub` in the ID token to have 1 to 255 characters")
  }
  // The protocol library looks at it only where there are several audiences.
  if (claims["azp"] !== undefined && claims["azp"] !== provider.clientId) {
    throw refuse("`azp` in the ID token to be this client")
  }
  if (claims.iat > Math.floor(Date.now() / 1000) + tolerance) {
    throw refuse("`iat` in the ID token not to lie in the future")
  }
  const hash = claims["at_hash"]
  if (hash !== undefined && hash !== (await leftHalf(hashFor(alg), accessToken))) {
    throw refuse("`at_hash` in the ID token to fit the access token")
  }
}

interface Signature {
  readonly alg: string
  readonly typ: unknown
  /** The key that signed, as the provider describes it. */
  readonly key: JWK | undefined
}

async function signatureOf(
  provider: ResolvedOAuthProvider,
  server: AuthorizationServer,
  metadata: Metadata,
  idToken: string,
): Promise<Signature> {
  const options = { algorithms: algorithmsOf(provider, server) }
  const verified = async (keys: KeySet): Promise<Signature> => {
    const { alg, typ, kid } = (await compactVerify(idToken, keys, options)).protectedHeader
    return { alg, typ, key: keys.jwks().keys.find((key) => key.kid === kid) }
  }
  try {
    return await verified(await metadata.keys())
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
    // The provider may have changed its keys since they were fetched.
    return verified(await metadata.newerKeys())
  }
}

function algorithmsOf(provider: ResolvedOAuthProvider, server: AuthorizationServer): string[] {
  const chosen = provider.client.id_token_signed_response_alg
  const announced = server.id_token_signing_alg_values_supported
  const allowed = chosen ? [chosen] : (announced ?? ["RS256"])
  return allowed.filter((algorithm) => asymmetric.has(algorithm))
}

/** The hash of the algorithm that signed (OIDC Core 3.1.3.6). */
function hashFor(algorithm: string): "SHA-256" | "SHA-384" | "SHA-512" {
  if (algorithm.endsWith("256")) return "SHA-256"
  return algorithm.endsWith("384") ? "SHA-384" : "SHA-512"
}
