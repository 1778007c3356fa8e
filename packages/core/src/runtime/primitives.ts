/**
 * The cryptography that is faster with Node's own module. `primitives.node.ts` and `primitives.web.ts` implement it.
 */
import type { CryptoKey } from "jose"
import type { Awaitable } from "../types.ts"

/** The variable parts of a compact JWE, base64url. */
export type JweParts = Readonly<Record<"iv" | "ciphertext" | "tag", string>>

/** Authenticated encryption under one key (RFC 7518 section 5.2.5). */
export interface Cipher {
  encrypt(plaintext: string, aad: string): Awaitable<JweParts>
  /** The plaintext, or null when key, data or tag do not belong together. */
  decrypt(parts: JweParts, aad: string): Awaitable<string | null>
}

/** A keyed hash: HMAC with SHA-256, as lower-case hex. */
export type Mac = (text: string) => Awaitable<string>

export interface CryptoPrimitives {
  randomBytes(length: number): Uint8Array
  /** Encodes bytes as base64url without padding, or as lower-case hex. */
  encode(bytes: Uint8Array, encoding: "base64url" | "hex"): string
  /** Derives bytes from a secret: HKDF with SHA-256 (RFC 5869). */
  hkdf(secret: string, salt: string, info: string, length: number): Awaitable<Uint8Array>
  digest(algorithm: "SHA-256" | "SHA-384" | "SHA-512", text: string): Awaitable<Uint8Array>
  /** Returns the SHA-256 hash of a text. */
  sha256(text: string, encoding: "base64url" | "hex"): Awaitable<string>
  /** A256CBC-HS512; the key has 64 bytes. */
  cbcHmac(key: Uint8Array): Cipher
  mac(key: Uint8Array): Mac
  /**
   * Whether a signature of RS256, RS384 or RS512 is valid (RFC 7518 section 3.3), and the key was imported for the
   * algorithm. Absent where only WebCrypto verifies signatures, which the JOSE library does.
   *
   * @param signature base64url
   */
  verifyRsaSignature?(algorithm: string, key: CryptoKey, signed: string, signature: string): boolean
}
