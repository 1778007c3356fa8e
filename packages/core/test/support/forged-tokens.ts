/** Session tokens made by hand, from `node:crypto` alone: with any header, any claims and any key. */
import { createCipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto"
import { secret } from "./password-app.ts"

export const sessionCookieName = "__Secure-authjs.session-token"

/** The key of a session cookie, as the format derives it. */
export function deriveSessionKey(
  text: string = secret,
  salt: string = sessionCookieName,
  length = 64,
): Buffer {
  const info = `Auth.js Generated Encryption Key (${salt})`
  return Buffer.from(hkdfSync("sha256", text, salt, info, length))
}

/** Claims of a session that is valid for the next hour. */
export function createClaims(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const iat = Math.floor(Date.now() / 1000)
  return { sub: "user-mallory", name: "mallory", iat, exp: iat + 3600, jti: "j", ...changes }
}

const defaultHeader = { alg: "dir", enc: "A256CBC-HS512" }

/** A compact JWE, A256CBC-HS512 (RFC 7518 section 5.2.5). `header` may be the text of one. */
export function encryptToken(
  claims: unknown,
  key: Uint8Array = deriveSessionKey(),
  header: object | string = defaultHeader,
): string {
  const json = typeof header === "string" ? header : JSON.stringify(header)
  const aad = Buffer.from(json).toString("base64url")
  const iv = randomBytes(16)
  const cipher = createCipheriv("aes-256-cbc", key.subarray(32), iv)
  const text = typeof claims === "string" ? claims : JSON.stringify(claims)
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(BigInt(aad.length * 8))
  const tag = createHmac("sha512", key.subarray(0, 32))
    .update(Buffer.concat([Buffer.from(aad), iv, ciphertext, length]))
    .digest()
    .subarray(0, 32)
  return [aad, "", ...[iv, ciphertext, tag].map((part) => part.toString("base64url"))].join(".")
}

/** A session token of NextAuth.js 4: A256GCM (RFC 7518 section 5.3), one key for each secret. */
export function encryptNextAuth4Token(claims: unknown, text: string = secret, salt = ""): string {
  const info = `NextAuth.js Generated Encryption Key${salt && ` (${salt})`}`
  const key = Buffer.from(hkdfSync("sha256", text, salt, info, 32))
  const aad = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString("base64url")
  const iv = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(aad))
  const ciphertext = Buffer.concat([cipher.update(JSON.stringify(claims), "utf8"), cipher.final()])
  const parts = [iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString("base64url"))
  return [aad, "", ...parts].join(".")
}
