/** Sessions of NextAuth.js 4. */
import { decryptJwe, deriveJweKey } from "../../crypto/jwe.ts"
import { type AcceptedSessions, parseClaims } from "../../crypto/jwt.ts"
import { memoize } from "../../crypto/memoize.ts"

/** Derived keys are cached. An application needs one for each secret. */
const maxCachedKeys = 256

const getKey = memoize(
  (secret: string) => deriveJweKey(secret, "", "NextAuth.js Generated Encryption Key"),
  maxCachedKeys,
)

/**
 * Sessions of NextAuth.js 4, for the option `session.accept`:
 *
 * ```ts
 * session: { accept: [nextAuth4] }
 * ```
 */
export const nextAuth4: AcceptedSessions = {
  cookieName: "next-auth.session-token",
  async readToken(token, secrets, maxAge) {
    const keys = await Promise.all(secrets.map((secret) => getKey(secret)))
    const decrypted = await decryptJwe(keys, token)
    if (typeof decrypted === "string") return undefined
    // As with an old secret, the session is sealed again.
    const read = parseClaims(decrypted.plaintext, false)
    if (read.kind === "invalid") return read
    const { iat = 0, sub, email, signedInAt: began = iat } = read.claims
    const isTooOld = iat + maxAge <= Date.now() / 1000
    if (isTooOld) return { kind: "invalid", reason: "the token is too old" }
    // Before 4.24.5, the cookies of pending sign-ins were sealed with the same key.
    if (!sub && !email) return { kind: "invalid", reason: "the token names no user" }
    // Where both libraries share a cookie, we have written when it began.
    if (!(began < iat)) read.claims.signedInAt = iat
    return read
  },
}
