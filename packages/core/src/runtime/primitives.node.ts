/** Node: synchronous `node:crypto`, because using the thread pool takes longer than the computation. */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  KeyObject,
  randomBytes,
  timingSafeEqual,
  verify,
} from "node:crypto"
import type { CryptoPrimitives } from "./primitives.ts"

/**
 * A call of the generator takes 15 % of the processor time of a session check without a cookie over HTTP, so it fills a
 * pool. Each byte is used once.
 */
let pool = randomBytes(0)
let usedBytes = 0

function takeRandomBytes(length: number): Buffer {
  if (pool.length < usedBytes + length) {
    pool = randomBytes(4096)
    usedBytes = 0
  }
  usedBytes += length
  return pool.subarray(usedBytes - length, usedBytes)
}

type RsaKeyAlgorithm = KeyAlgorithm & { hash?: KeyAlgorithm; modulusLength?: number }

/** RFC 7518 section 3.3. */
const minRsaBits = 2048

export const primitives: CryptoPrimitives = {
  encode: ({ buffer, byteOffset, byteLength }, encoding) =>
    Buffer.from(buffer, byteOffset, byteLength).toString(encoding),

  randomBytes: takeRandomBytes,

  hkdf: (secret, salt, info, length) =>
    new Uint8Array(hkdfSync("sha256", secret, salt, info, length)),

  digest: (algorithm, text) =>
    createHash(algorithm.replace("-", "").toLowerCase()).update(text, "utf8").digest(),

  sha256: (text, encoding) => createHash("sha256").update(text, "utf8").digest(encoding),

  cbcHmac(key) {
    const macKey = createSecretKey(key.subarray(0, 32))
    const encryptionKey = createSecretKey(key.subarray(32))
    /** RFC 7518 section 5.2.2.1, step 5. */
    const computeTag = (aad: string, iv: Buffer, ciphertext: Buffer): Buffer => {
      const aadBits = Buffer.alloc(8)
      aadBits.writeUInt32BE(aad.length * 8, 4) // a header has far less than 2^32 bits
      const hmac = createHmac("sha512", macKey).update(aad, "ascii").update(iv).update(ciphertext)
      return hmac.update(aadBits).digest().subarray(0, 32)
    }
    return {
      encrypt(plaintext, aad) {
        const iv = takeRandomBytes(16)
        const cipher = createCipheriv("aes-256-cbc", encryptionKey, iv)
        const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()])
        return {
          iv: iv.toString("base64url"),
          ciphertext: ciphertext.toString("base64url"),
          tag: computeTag(aad, iv, ciphertext).toString("base64url"),
        }
      },
      decrypt(parts, aad) {
        const iv = Buffer.from(parts.iv, "base64url")
        const ciphertext = Buffer.from(parts.ciphertext, "base64url")
        const tag = Buffer.from(parts.tag, "base64url")
        if (iv.length !== 16 || tag.length !== 32) return null
        if (!timingSafeEqual(computeTag(aad, iv, ciphertext), tag)) return null
        const decipher = createDecipheriv("aes-256-cbc", encryptionKey, iv)
        return decipher.update(ciphertext, undefined, "utf8") + decipher.final("utf8")
      },
    }
  },

  mac(key) {
    const secret = createSecretKey(key)
    return (text) => createHmac("sha256", secret).update(text, "utf8").digest("hex")
  },

  verifyRsaSignature(algorithm, key, signed, signature) {
    const { name, hash, modulusLength }: RsaKeyAlgorithm = key.algorithm
    const size = algorithm.slice(2)
    if (name !== "RSASSA-PKCS1-v1_5" || hash?.name !== `SHA-${size}`) return false
    if (key.type !== "public" || Number(modulusLength) < minRsaBits) return false
    const bytes = Buffer.from(signature, "base64url")
    return verify(`sha${size}`, Buffer.from(signed, "ascii"), KeyObject.from(key), bytes)
  },
}
