/** Cryptography for all runtimes, on WebCrypto. */
import type { JweParts } from "./primitives.ts"

export type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true }) // keeps a leading byte order mark
export const encodeUtf8 = (text: string): Bytes => encoder.encode(text)
export const decodeUtf8 = (bytes: ArrayBuffer): string => decoder.decode(bytes)

export function importKey(
  bytes: Uint8Array,
  algorithm: string | HmacImportParams,
  usages: KeyUsage[],
): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", new Uint8Array(bytes), algorithm, false, usages)
}

/** Derives bytes from a secret: HKDF with SHA-256 (RFC 5869). */
export async function hkdf(
  secret: string,
  salt: string,
  info: string,
  length: number,
): Promise<Bytes> {
  const key = await importKey(encodeUtf8(secret), "HKDF", ["deriveBits"])
  const bytes = { salt: encodeUtf8(salt), info: encodeUtf8(info) }
  const algorithm = { name: "HKDF", hash: "SHA-256", ...bytes }
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, length * 8))
}

/** Decrypts A256GCM (RFC 7518 section 5.3). Returns null when key, data or tag do not belong together. */
export async function decryptGcm(
  key: Uint8Array,
  parts: JweParts,
  aad: string,
): Promise<string | null> {
  const [iv, tag] = [decodeBase64Url(parts.iv), decodeBase64Url(parts.tag)]
  if (iv.length !== 12 || tag.length !== 16) return null
  const algorithm = { name: "AES-GCM", iv, additionalData: encodeUtf8(aad) }
  const sealed = concatBytes(decodeBase64Url(parts.ciphertext), tag)
  const importedKey = await importKey(key, "AES-GCM", ["decrypt"])
  try {
    return decodeUtf8(await crypto.subtle.decrypt(algorithm, importedKey, sealed))
  } catch {
    return null // WebCrypto rejects if the tag does not match
  }
}

export function concatBytes(...parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    all.set(part, offset)
    offset += part.length
  }
  return all
}

/** Compares bytes in a time that depends only on their number. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0)
  return difference === 0
}

export function decodeBase64Url(text: string): Bytes {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}
