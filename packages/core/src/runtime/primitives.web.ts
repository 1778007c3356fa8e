/** Everywhere else: WebCrypto, with keys imported once. */
import { base64url } from "jose"
import type { CryptoPrimitives } from "./primitives.ts"
import {
  type Bytes,
  concatBytes,
  decodeBase64Url,
  decodeUtf8,
  encodeUtf8,
  equalBytes,
  importKey,
  toHex,
} from "./web-crypto.ts"

export const primitives: CryptoPrimitives = {
  async digest(algorithm, text) {
    return new Uint8Array(await crypto.subtle.digest(algorithm, encodeUtf8(text)))
  },

  cbcHmac(key) {
    const macKey = importKey(key.slice(0, 32), { name: "HMAC", hash: "SHA-512" }, ["sign"])
    const encryptionKey = importKey(key.slice(32), "AES-CBC", ["encrypt", "decrypt"])
    /** RFC 7518 section 5.2.2.1, step 5. */
    const computeTag = async (aad: string, iv: Bytes, ciphertext: Bytes): Promise<Bytes> => {
      const aadBits = new Uint8Array(8)
      new DataView(aadBits.buffer).setBigUint64(0, BigInt(aad.length * 8))
      const signed = concatBytes(encodeUtf8(aad), iv, ciphertext, aadBits)
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
          iv: base64url.encode(iv),
          ciphertext: base64url.encode(ciphertext),
          tag: base64url.encode(tag),
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
