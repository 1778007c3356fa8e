/** Session tokens of NextAuth.js 4, which `session.accept` allows. Only applications that use it load this module. */
import { decryptJwe, deriveJweKey } from "../../crypto/jwe.ts"
import { parseClaims, type TokenReadResult } from "../../crypto/jwt.ts"
import { memoize } from "../../crypto/memoize.ts"

/** Derived keys are cached. An application needs one for each secret. */
const maxCachedKeys = 256

const getKey = memoize(
  (secret: string) => deriveJweKey(secret, "", "NextAuth.js Generated Encryption Key"),
  maxCachedKeys,
)

/**
 * Opens a token of NextAuth.js 4. Returns undefined for any other text.
 *
 * @param maxAge the longest time since the token was issued, in seconds. A sign-out is remembered as long.
 */
export async function readNextAuth4Token(
  token: string,
  secrets: readonly string[],
  maxAge: number,
): Promise<TokenReadResult | undefined> {
  const decrypted = await decryptJwe(await Promise.all(secrets.map((each) => getKey(each))), token)
  if (typeof decrypted === "string") return undefined
  // As with an old secret, the session is sealed again.
  const read = parseClaims(decrypted.plaintext, false)
  if (read.kind === "invalid") return read
  const { iat = 0, sub, email } = read.claims
  if (iat + maxAge <= Date.now() / 1000) return { kind: "invalid", reason: "the token is too old" }
  // Before 4.24.5, the cookies of pending sign-ins were sealed with the same key.
  if (!sub && !email) return { kind: "invalid", reason: "the token names no user" }
  return { ...read, claims: { ...read.claims, signedInAt: iat } }
}
