/** WebCrypto: the primitives of all runtimes but Node. */
import { decodeBase64Url, encodeBase64Url } from "./base64url.ts"
import { type Bytes, concatBytes, decodeUtf8, encodeUtf8 } from "./bytes.ts"
import type { CryptoPrimitives } from "./primitives.ts"

function importKey(
  bytes: Uint8Array,
  algorithm: string | HmacImportParams,
  usages: KeyUsage[],
): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", new Uint8Array(bytes), algorithm, false, usages)
}

/** Compares bytes in a time that depends only on their number. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0)
  return difference === 0
}

function toHex(bytes: Uint8Array): string {
  let text = ""
  for (const byte of bytes) text += (byte < 16 ? "0" : "") + byte.toString(16)
  return text
}

/** Keys are imported once. */
export const primitives: CryptoPrimitives = {
  encode: (bytes, encoding) => (encoding === "hex" ? toHex(bytes) : encodeBase64Url(bytes)),

  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),

  async hkdf(secret, salt, info, length) {
    const key = await importKey(encodeUtf8(secret), "HKDF", ["deriveBits"])
    const bytes = { salt: encodeUtf8(salt), info: encodeUtf8(info) }
    const algorithm = { name: "HKDF", hash: "SHA-256", ...bytes }
    return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, length * 8))
  },

  async digest(algorithm, text) {
    return new Uint8Array(await crypto.subtle.digest(algorithm, encodeUtf8(text)))
  },

  async sha256(text, encoding) {
    return primitives.encode(await primitives.digest("SHA-256", text), encoding)
  },

  cbcHmac(key) {
    const macKey = importKey(key.slice(0, 32), { name: "HMAC", hash: "SHA-512" }, ["sign"])
    const encryptionKey = importKey(key.slice(32), "AES-CBC", ["encrypt", "decrypt"])
    /** RFC 7518 section 5.2.2.1, step 5. */
    const computeTag = async (aad: string, iv: Bytes, ciphertext: Bytes): Promise<Bytes> => {
      const aadBits = new Uint8Array(8)
      new DataView(aadBits.buffer).setBigUint64(0, BigInt(aad.length * 8))
      const signed = concatBytes([encodeUtf8(aad), iv, ciphertext, aadBits])
      return new Uint8Array(await crypto.subtle.sign("HMAC", await macKey, signed), 0, 32)
    }
    return {
      async encrypt(plaintext, aad) {
        const iv = crypto.getRandomValues(new Uint8Array(16))
        const algorithm = { name: "AES-CBC", iv }
        const sealed = crypto.subtle.encrypt(algorithm, await encryptionKey, encodeUtf8(plaintext))
        const ciphertext = new Uint8Array(await sealed)
        const tag = await computeTag(aad, iv, ciphertext)
        return {
          iv: encodeBase64Url(iv),
          ciphertext: encodeBase64Url(ciphertext),
          tag: encodeBase64Url(tag),
        }
      },
      async decrypt(parts, aad) {
        const iv = decodeBase64Url(parts.iv)
        const ciphertext = decodeBase64Url(parts.ciphertext)
        const tag = await computeTag(aad, iv, ciphertext)
        if (iv.length !== 16 || !equalBytes(tag, decodeBase64Url(parts.tag))) return null
        const algorithm = { name: "AES-CBC", iv }
        return decodeUtf8(await crypto.subtle.decrypt(algorithm, await encryptionKey, ciphertext))
      },
    }
  },

  mac(key) {
    const secret = importKey(key, { name: "HMAC", hash: "SHA-256" }, ["sign"])
    return async (text) =>
      toHex(new Uint8Array(await crypto.subtle.sign("HMAC", await secret, encodeUtf8(text))))
  },
}
