/** Everywhere else: WebCrypto, with keys imported once. */
import type { Cipher, CryptoPrimitives, JweParts, Mac } from "./primitives.ts"

type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true }) // keeps a leading byte order mark
const encodeUtf8 = (text: string): Bytes => encoder.encode(text)

function cbcHmac(key: Uint8Array): Cipher {
  const macKey = importKey(key.slice(0, 32), { name: "HMAC", hash: "SHA-512" }, ["sign"])
  const encryptionKey = importKey(key.slice(32), "AES-CBC", ["encrypt", "decrypt"])
  const computeTag = async (aad: string, iv: Bytes, ciphertext: Bytes): Promise<Bytes> => {
    const authenticatedBytes = concatBytes(
      encodeUtf8(aad),
      iv,
      ciphertext,
      encodeBitLength(aad.length),
    )
    return new Uint8Array(await crypto.subtle.sign("HMAC", await macKey, authenticatedBytes)).slice(
      0,
      32,
    )
  }
  return {
    async encrypt(plaintext, aad) {
      const iv = crypto.getRandomValues(new Uint8Array(16))
      const algorithm = { name: "AES-CBC", iv }
      const key = await encryptionKey
      const ciphertext = new Uint8Array(
        await crypto.subtle.encrypt(algorithm, key, encodeUtf8(plaintext)),
      )
      return encodeParts(iv, ciphertext, await computeTag(aad, iv, ciphertext))
    },
    async decrypt(parts, aad) {
      const { iv, ciphertext, tag } = decodeParts(parts)
      if (iv.length !== 16 || !equalBytes(await computeTag(aad, iv, ciphertext), tag)) return null
      const algorithm = { name: "AES-CBC", iv }
      return decoder.decode(await crypto.subtle.decrypt(algorithm, await encryptionKey, ciphertext))
    },
  }
}

/** RFC 7518 section 5.2.2.1, step 4: the length of the additional data in bits, 64 bits, big-endian. */
function encodeBitLength(bytes: number): Bytes {
  const length = new Uint8Array(8)
  new DataView(length.buffer).setBigUint64(0, BigInt(bytes * 8))
  return length
}

function gcm(key: Uint8Array): Cipher {
  const secret = importKey(key.slice(), "AES-GCM", ["encrypt", "decrypt"])
  return {
    async encrypt(plaintext, aad) {
      const iv = crypto.getRandomValues(new Uint8Array(12))
      const algorithm = { name: "AES-GCM", iv, additionalData: encodeUtf8(aad) }
      const sealed = new Uint8Array(
        await crypto.subtle.encrypt(algorithm, await secret, encodeUtf8(plaintext)),
      )
      return encodeParts(iv, sealed.slice(0, -16), sealed.slice(-16))
    },
    async decrypt(parts, aad) {
      const { iv, ciphertext, tag } = decodeParts(parts)
      if (iv.length !== 12 || tag.length !== 16) return null
      const algorithm = { name: "AES-GCM", iv, additionalData: encodeUtf8(aad) }
      try {
        return decoder.decode(
          await crypto.subtle.decrypt(algorithm, await secret, concatBytes(ciphertext, tag)),
        )
      } catch {
        return null // WebCrypto rejects if the tag does not match
      }
    },
  }
}

function mac(key: Uint8Array): Mac {
  const secret = importKey(key.slice(), { name: "HMAC", hash: "SHA-256" }, ["sign"])
  return async (text) => {
    const hash = new Uint8Array(await crypto.subtle.sign("HMAC", await secret, encodeUtf8(text)))
    return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("")
  }
}

function importKey(
  bytes: Uint8Array,
  algorithm: string | HmacImportParams,
  usages: KeyUsage[],
): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", new Uint8Array(bytes), algorithm, false, usages)
}

function concatBytes(...parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    all.set(part, offset)
    offset += part.length
  }
  return all
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = ""
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}

function fromBase64Url(text: string): Bytes {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

function encodeParts(iv: Bytes, ciphertext: Bytes, tag: Bytes): JweParts {
  return { iv: toBase64Url(iv), ciphertext: toBase64Url(ciphertext), tag: toBase64Url(tag) }
}

function decodeParts(parts: JweParts): Record<keyof JweParts, Bytes> {
  return {
    iv: fromBase64Url(parts.iv),
    ciphertext: fromBase64Url(parts.ciphertext),
    tag: fromBase64Url(parts.tag),
  }
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0)
  return difference === 0
}

export const primitives: CryptoPrimitives = {
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  async hkdf(secret, salt, info, length) {
    const key = await crypto.subtle.importKey("raw", encodeUtf8(secret), "HKDF", false, [
      "deriveBits",
    ])
    const parameters = {
      name: "HKDF",
      hash: "SHA-256",
      salt: encodeUtf8(salt),
      info: encodeUtf8(info),
    }
    return new Uint8Array(await crypto.subtle.deriveBits(parameters, key, length * 8))
  },
  async digest(algorithm, text) {
    return new Uint8Array(await crypto.subtle.digest(algorithm, encodeUtf8(text)))
  },
  cbcHmac,
  gcm,
  mac,
  toBase64Url,
  timingSafeEqual: (a, b) => equalBytes(encodeUtf8(a), encodeUtf8(b)),
}
