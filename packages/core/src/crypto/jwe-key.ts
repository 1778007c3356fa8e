/** The keys of JWEs with direct encryption (RFC 7518 section 4.5). */
import { primitives } from "../runtime/platform.ts"
import type { Cipher } from "../runtime/primitives.ts"

/** A key for one purpose, derived from one secret. */
export interface JweKey {
  /** Encoded protected header of the tokens that this key seals. */
  readonly header: string
  readonly cbc: Cipher
  /** RFC 7638 thumbprint of the 64-byte key. */
  readonly cbcThumbprint: string
  readonly gcmKey: Uint8Array
}

/** Derives the key for one secret. `info` and `salt` name the purpose. */
export async function deriveJweKey(secret: string, salt: string, info: string): Promise<JweKey> {
  const cbcKey = await primitives.hkdf(secret, salt, info, 64)
  const cbcThumbprint = await computeThumbprint(cbcKey, "SHA-512")
  const header = JSON.stringify({ alg: "dir", enc: "A256CBC-HS512", kid: cbcThumbprint })
  return {
    header: primitives.encode(new TextEncoder().encode(header), "base64url"),
    cbc: primitives.cbcHmac(cbcKey),
    cbcThumbprint,
    gcmKey: cbcKey.slice(0, 32), // HKDF-Expand: a shorter output is a prefix of a longer one
  }
}

/** RFC 7638 section 3.2: the required members of a symmetric key, sorted by name. */
export async function computeThumbprint(
  key: Uint8Array,
  algorithm: "SHA-256" | "SHA-512",
): Promise<string> {
  const jwk = JSON.stringify({ k: primitives.encode(key, "base64url"), kty: "oct" })
  return primitives.encode(await primitives.digest(algorithm, jwk), "base64url")
}
