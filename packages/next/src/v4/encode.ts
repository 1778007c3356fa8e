import type { JWT } from "@latchkey/core/jwt"
import { EncryptJWT } from "jose/jwt/encrypt"

/** Parameters of {@link encode}. */
export interface JWTEncodeParams {
  /** The claims. `encode` sets `iat`, `exp` and `jti`. */
  readonly token?: JWT
  /** One or more secrets. The first one encrypts. */
  readonly secret: string | readonly string[]
  /** Lifetime in seconds. @defaultValue 2592000 */
  readonly maxAge?: number
}

/**
 * Seals claims into a session token of NextAuth.js 4 (compact JWE, `dir`, `A256GCM`).
 *
 * @throws TypeError when there is no secret: anybody could derive the key of an empty one
 */
export async function encode(params: JWTEncodeParams): Promise<string> {
  const { token = {}, secret, maxAge = 2_592_000 } = params
  const [first] = [secret].flat().filter(Boolean)
  if (first === undefined) throw new TypeError("`secret` must hold at least one secret")
  const now = Math.floor(Date.now() / 1000)
  return new EncryptJWT(token)
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .setIssuedAt(now)
    .setExpirationTime(now + maxAge)
    .setJti(crypto.randomUUID())
    .encrypt(await deriveKey(first))
}

async function deriveKey(secret: string): Promise<Uint8Array> {
  const toBytes = (text: string) => new TextEncoder().encode(text)
  const input = await crypto.subtle.importKey("raw", toBytes(secret), "HKDF", false, ["deriveBits"])
  const info = toBytes("NextAuth.js Generated Encryption Key")
  const algorithm = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info }
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, input, 256))
}
