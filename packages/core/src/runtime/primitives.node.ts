/** Node: synchronous `node:crypto`, because using the thread pool takes longer than the computation. */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto"
import type { Cipher, CryptoPrimitives, JweParts, Mac } from "./primitives.ts"

function cbcHmac(key: Uint8Array): Cipher {
  const macKey = createSecretKey(key.subarray(0, 32))
  const encryptionKey = createSecretKey(key.subarray(32))
  return {
    encrypt(plaintext, aad) {
      const iv = randomBytes(16)
      const cipher = createCipheriv("aes-256-cbc", encryptionKey, iv)
      const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()])
      return encodeParts(iv, ciphertext, computeCbcTag(macKey, aad, iv, ciphertext))
    },
    decrypt(parts, aad) {
      const { iv, ciphertext, tag } = decodeParts(parts)
      if (iv.length !== 16 || tag.length !== 32) return null
      if (!timingSafeEqual(computeCbcTag(macKey, aad, iv, ciphertext), tag)) return null
      const decipher = createDecipheriv("aes-256-cbc", encryptionKey, iv)
      return decipher.update(ciphertext, undefined, "utf8") + decipher.final("utf8")
    },
  }
}

/** RFC 7518 section 5.2.2.1, step 5. */
function computeCbcTag(key: KeyObject, aad: string, iv: Buffer, ciphertext: Buffer): Buffer {
  const aadBits = Buffer.alloc(8)
  aadBits.writeBigUInt64BE(BigInt(aad.length * 8))
  const hmac = createHmac("sha512", key).update(aad, "ascii").update(iv).update(ciphertext)
  return hmac.update(aadBits).digest().subarray(0, 32)
}

function gcm(key: Uint8Array): Cipher {
  const secret = createSecretKey(key)
  return {
    encrypt(plaintext, aad) {
      const iv = randomBytes(12)
      const cipher = createCipheriv("aes-256-gcm", secret, iv).setAAD(Buffer.from(aad))
      const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()])
      return encodeParts(iv, ciphertext, cipher.getAuthTag())
    },
    decrypt(parts, aad) {
      const { iv, ciphertext, tag } = decodeParts(parts)
      if (iv.length !== 12 || tag.length !== 16) return null
      const decipher = createDecipheriv("aes-256-gcm", secret, iv, { authTagLength: 16 })
      decipher.setAAD(Buffer.from(aad)).setAuthTag(tag)
      try {
        return decipher.update(ciphertext, undefined, "utf8") + decipher.final("utf8")
      } catch {
        return null // `final` throws only if the tag does not match
      }
    },
  }
}

function encodeParts(iv: Buffer, ciphertext: Buffer, tag: Buffer): JweParts {
  return {
    iv: iv.toString("base64url"),
    ciphertext: ciphertext.toString("base64url"),
    tag: tag.toString("base64url"),
  }
}

function decodeParts(parts: JweParts): Record<keyof JweParts, Buffer> {
  return {
    iv: Buffer.from(parts.iv, "base64url"),
    ciphertext: Buffer.from(parts.ciphertext, "base64url"),
    tag: Buffer.from(parts.tag, "base64url"),
  }
}

function mac(key: Uint8Array): Mac {
  const secret = createSecretKey(key)
  return (text) => createHmac("sha256", secret).update(text, "utf8").digest("hex")
}

export const primitives: CryptoPrimitives = {
  randomBytes: (length) => new Uint8Array(randomBytes(length)),
  hkdf: (secret, salt, info, length) =>
    new Uint8Array(hkdfSync("sha256", secret, salt, info, length)),
  digest: (algorithm, text) =>
    createHash(algorithm.replace("-", "").toLowerCase()).update(text, "utf8").digest(),
  cbcHmac,
  gcm,
  mac,
  toBase64Url: (bytes) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url"),
  timingSafeEqual(a, b) {
    const left = Buffer.from(a)
    const right = Buffer.from(b)
    return left.length === right.length && timingSafeEqual(left, right)
  },
}
