/** Verifies signed tokens of providers (RFC 7515 section 5.2). */
import {
  type CompactJWSHeaderParameters,
  type CryptoKey,
  compactVerify,
  decodeProtectedHeader,
  type FlattenedJWSInput,
} from "jose"
import { isBase64Url } from "../runtime/base64url.ts"
import { primitives } from "../runtime/platform.ts"

/** Finds the key that the header of a token names, imported for the token's algorithm. */
export type KeyResolver = (
  header: CompactJWSHeaderParameters,
  token: FlattenedJWSInput,
) => Promise<CryptoKey>

/**
 * Verifies the signature of a compact JWS and returns its header. Only the JOSE library refuses tokens; Node's own
 * cryptography accepts the usual ones without the thread pool (docs/decisions/0033-id-token-signatures.md).
 *
 * @param algorithms the accepted algorithms
 * @throws an error of `jose`, or of `getKey`
 */
export async function verifyJws(
  token: string,
  getKey: KeyResolver,
  algorithms: string[],
): Promise<CompactJWSHeaderParameters> {
  const header = await verifyRsaToken(token, getKey, algorithms)
  return header ?? (await compactVerify(token, getKey, { algorithms })).protectedHeader
}

/** Returns the header of a token with a valid RSA signature; undefined for any other, and without such primitives. */
async function verifyRsaToken(
  token: string,
  getKey: KeyResolver,
  algorithms: readonly string[],
): Promise<CompactJWSHeaderParameters | undefined> {
  const parts = token.split(".", 4)
  const [encodedHeader = "", payload = "", signature = ""] = parts
  // Node would decode text that is not base64url, which the JOSE library refuses.
  if (!primitives.verifyRsaSignature || parts.length !== 3 || !parts.every(isBase64Url))
    return undefined
  const header = decodeProtectedHeader(token)
  const { alg, crit } = header
  if (alg === undefined || !/^RS\d+$/.test(alg) || !algorithms.includes(alg) || crit !== undefined)
    return undefined
  const key = await getKey({ ...header, alg }, { protected: encodedHeader, payload, signature })
  const isValid = primitives.verifyRsaSignature(alg, key, `${encodedHeader}.${payload}`, signature)
  return isValid ? { ...header, alg } : undefined
}
