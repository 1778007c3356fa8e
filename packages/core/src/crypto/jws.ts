/** Verifies signed tokens of providers (RFC 7515 section 5.2). */
import {
  type CompactJWSHeaderParameters,
  compactVerify,
  decodeProtectedHeader,
  type FlattenedJWSInput,
} from "jose"
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

/** A part in base64url. None has a length of 4n + 1, which Node would decode and the JOSE library refuses. */
const part = "((?:[\\w-]{4})*[\\w-]{2,4})"
const compactPattern = new RegExp(`^${part}\\.${part}\\.${part}$`)

/** Returns the header of a token with a valid RSA signature; undefined for any other, and without such primitives. */
async function verifyRsaToken(
  token: string,
  getKey: KeyResolver,
  algorithms: readonly string[],
): Promise<CompactJWSHeaderParameters | undefined> {
  const [, encodedHeader = "", payload = "", signature = ""] = compactPattern.exec(token) ?? []
  if (!primitives.verifyRsaSignature || signature === "") return undefined
  const header = decodeProtectedHeader(token)
  const { alg, crit } = header
  if (alg === undefined || !/^RS\d+$/.test(alg) || !algorithms.includes(alg) || crit !== undefined)
    return undefined
  const key = await getKey({ ...header, alg }, { protected: encodedHeader, payload, signature })
  const isValid = primitives.verifyRsaSignature(alg, key, `${encodedHeader}.${payload}`, signature)
  return isValid ? { ...header, alg } : undefined
}
