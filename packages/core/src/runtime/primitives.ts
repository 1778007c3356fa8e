/** The cryptographic primitives of a platform. `primitives.node.ts` and `primitives.web.ts` implement them. */
import type { Awaitable } from "../types.ts"

/** The variable parts of a compact JWE, base64url. */
export interface JweParts {
  readonly iv: string
  readonly ciphertext: string
  readonly tag: string
}

/** Authenticated encryption under one key (RFC 7518 sections 5.2.5 and 5.3). */
export interface Cipher {
  encrypt(plaintext: string, aad: string): Awaitable<JweParts>
  /** The plaintext, or null when key, data or tag do not belong together. */
  decrypt(parts: JweParts, aad: string): Awaitable<string | null>
}

/** A keyed hash: HMAC with SHA-256, as lower-case hex. */
export type Mac = (text: string) => Awaitable<string>

export interface CryptoPrimitives {
  /** Bytes of the platform's secure random generator. */
  randomBytes(length: number): Uint8Array
  /** HKDF with SHA-256 (RFC 5869). */
  hkdf(secret: string, salt: string, info: string, length: number): Awaitable<Uint8Array>
  digest(algorithm: "SHA-256" | "SHA-384" | "SHA-512", text: string): Awaitable<Uint8Array>
  /** A256CBC-HS512; the key has 64 bytes. */
  cbcHmac(key: Uint8Array): Cipher
  /** A256GCM; the key has 32 bytes. */
  gcm(key: Uint8Array): Cipher
  mac(key: Uint8Array): Mac
  toBase64Url(bytes: Uint8Array): string
  /** Compares two texts in a time that depends on their lengths only. */
  timingSafeEqual(a: string, b: string): boolean
}
