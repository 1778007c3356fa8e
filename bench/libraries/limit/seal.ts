/** A256CBC-HS512 (RFC 7518 section 5.2.5) in synchronous `node:crypto`, as Auth.js uses it for its cookies. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomFillSync,
  timingSafeEqual,
} from "node:crypto"

/** Seals and opens the claims of one kind of cookie. */
export interface Seal {
  seal(claims: object): string
  /** @throws TypeError if the token was altered */
  open(token: string): Record<string, unknown>
}

/**
 * Derives the key once.
 *
 * @param header the encoded protected header of the tokens, which has the id of the key
 */
export function createSeal(secret: string, salt: string, header: string): Seal {
  const info = `Auth.js Generated Encryption Key (${salt})`
  const key = Buffer.from(hkdfSync("sha256", secret, salt, info, 64))
  const macKey = createSecretKey(key.subarray(0, 32))
  const encryptionKey = createSecretKey(key.subarray(32))
  const headerBits = Buffer.alloc(8)
  headerBits.writeBigUInt64BE(BigInt(header.length * 8))
  const computeTag = (iv: Buffer, ciphertext: Buffer): Buffer =>
    createHmac("sha512", macKey)
      .update(header, "ascii")
      .update(iv)
      .update(ciphertext)
      .update(headerBits)
      .digest()
      .subarray(0, 32)
  return {
    seal(claims) {
      const iv = takeRandomBytes(16)
      const cipher = createCipheriv("aes-256-cbc", encryptionKey, iv)
      const text = JSON.stringify(claims)
      const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
      const parts = [iv, ciphertext, computeTag(iv, ciphertext)]
      return `${header}..${parts.map((part) => part.toString("base64url")).join(".")}`
    },
    open(token) {
      const [start, , iv, ciphertext, tag] = token
        .split(".")
        .map((part, index) => (index < 2 ? part : Buffer.from(part, "base64url")))
      if (start !== header || !isBuffer(iv) || !isBuffer(ciphertext) || !isBuffer(tag))
        throw new TypeError("Another key sealed the token")
      if (!timingSafeEqual(computeTag(iv, ciphertext), tag))
        throw new TypeError("The token was altered")
      const decipher = createDecipheriv("aes-256-cbc", encryptionKey, iv)
      return JSON.parse(decipher.update(ciphertext, undefined, "utf8") + decipher.final("utf8"))
    },
  }
}

const isBuffer = (value: unknown): value is Buffer => value instanceof Buffer

/** The generator fills many random bytes in the time of a few. Each byte is used once. */
const pool = Buffer.alloc(4096)
let usedBytes = pool.length

/** Returns random bytes. */
export function takeRandomBytes(length: number): Buffer {
  if (usedBytes + length > pool.length) {
    randomFillSync(pool)
    usedBytes = 0
  }
  const bytes = Buffer.from(pool.subarray(usedBytes, usedBytes + length))
  usedBytes += length
  return bytes
}
