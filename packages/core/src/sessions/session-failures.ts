/** The errors of sessions that cannot be read or written. */
import type { SessionServices } from "../config/core-services.ts"
import { describeValue } from "../errors/describe-value.ts"
import { type AuthError, JWTSessionError, SessionTooLarge } from "../errors.ts"
import type { JWT } from "../types.ts"

const staleCookieHint =
  "It was deleted. If this happens to all users, compare AUTH_SECRET on all servers."

/** Logs why a cookie holds no session. */
export async function logInvalidCookie(
  { config, logger }: SessionServices,
  reason: string,
): Promise<void> {
  const text = `The session cookie is not valid: ${reason}.`
  // A sealed cookie that cannot be opened is an error; a missing row only means that the session was ended.
  if (config.session.strategy === "jwt")
    logger.error(new JWTSessionError(text, { hint: staleCookieHint }))
  else logger.debug("session_invalid", text)
}

/** Creates the error of an application's `jwt.decode` that failed. */
export function createDecodeError(cause: unknown): AuthError {
  return new JWTSessionError("`jwt.decode` failed.", { cause })
}

/** Creates the error of a session that does not fit into its cookie. */
export function createTooLargeError(token: JWT): AuthError {
  const received = describeLargestClaims(token)
  return new SessionTooLarge({ expected: "a session of at most 12 KB", received })
}

/** Names the largest claims, with their sizes as JSON. Never their values. */
function describeLargestClaims(token: JWT): string {
  const claims = Object.entries(token).map(
    ([name, value]) => [name, JSON.stringify(value)?.length ?? 0] as const,
  )
  const largest = claims.sort((a, b) => b[1] - a[1]).slice(0, 3)
  return largest.map(([name, size]) => `${describeValue(name)} with ${size} characters`).join(", ")
}

/** Creates the error of a sealed session that could not be read or written. */
export function createSessionError(cause: unknown): AuthError {
  if (cause instanceof SessionTooLarge) return cause
  return new JWTSessionError("The session check failed.", { cause })
}
