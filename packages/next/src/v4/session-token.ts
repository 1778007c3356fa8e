/** The session tokens of NextAuth.js 4, in its cookie. Both libraries read them, so that an application can go back. */
import { nextAuth4 } from "@latchkey/core/authjs"
import type { JWT } from "@latchkey/core/jwt"
import { readEnvironment } from "../environment.ts"

/** Parameters of {@link decode}. */
export interface JWTDecodeParams {
  /** The token. Without one, `decode` returns null. */
  readonly token?: string | undefined
  /** One or more secrets. The token may be encrypted with any of them. */
  readonly secret: string | readonly string[]
}

/** Returns the name of the session cookie, by the same rule as NextAuth.js 4. */
export function getSessionCookieName(isSecure: boolean = isSecureByDefault()): string {
  return `${isSecure ? "__Secure-" : ""}${nextAuth4.cookieName}`
}

function isSecureByDefault(): boolean {
  const { AUTH_URL, VERCEL } = readEnvironment()
  return AUTH_URL ? AUTH_URL.startsWith("https:") : Boolean(VERCEL)
}

/** Opens a session token of NextAuth.js 4. Returns null for any other text. */
export async function decode({ token, secret }: JWTDecodeParams): Promise<JWT | null> {
  if (!token) return null
  // The token itself says when it expires.
  const read = await nextAuth4.readToken(
    token,
    [secret].flat().filter(Boolean),
    Number.POSITIVE_INFINITY,
  )
  return read?.kind === "valid" ? read.claims : null
}
