/** Writes the token of a session into its cookie. */
import type { SessionServices } from "../../config/core-services.ts"
import { sealClaims } from "../../crypto/jwe.ts"
import { describeValue } from "../../errors/describe-value.ts"
import { SessionTooLarge } from "../../errors.ts"
import { keepChunkedCookieOnError, writeChunkedCookie } from "../../http/cookie-chunks.ts"
import type { SessionContext } from "../../http/session-context.ts"
import type { JWT } from "../../types.ts"
import { getMaxAges, readSessionFacts } from "../session-facts.ts"

/**
 * Writes a token.
 *
 * @param keepOnError also sets the cookie if the request fails: the token may hold the only copy of a refresh token
 * @throws SessionTooLarge
 */
export async function writeToken(
  { config, getTokenKeys }: SessionServices,
  { jar, cookies, cookieDefinitions }: SessionContext,
  token: JWT,
  keepOnError: boolean,
): Promise<void> {
  const cookie = cookieDefinitions.sessionToken
  const { codec } = config.jwt
  const { isTemporary } = readSessionFacts(token)
  const { cookieMaxAge, tokenMaxAge } = getMaxAges(config, token)
  const sealed: unknown = codec.encode
    ? await codec.encode({ ...codec, maxAge: tokenMaxAge, token, salt: cookie.name })
    : await sealClaims((await getTokenKeys(cookie.name))[0], token, tokenMaxAge)
  if (typeof sealed !== "string") throw new TypeError("`jwt.encode` must return text")
  // A browser deletes a cookie without an expiry when it is closed.
  const attributes = isTemporary ? {} : { expires: new Date(Date.now() + cookieMaxAge * 1000) }
  if (!writeChunkedCookie(jar, cookies, cookie, sealed, attributes)) {
    const received = describeLargestClaims(token)
    throw new SessionTooLarge({ expected: "a session of at most 12 KB", received })
  }
  if (keepOnError) keepChunkedCookieOnError(jar, cookie)
}

/** Writes a token that was read. If it is too large, the session stays as it is until it expires. */
export async function renewToken(
  services: SessionServices,
  context: SessionContext,
  token: JWT,
  keepOnError: boolean,
): Promise<void> {
  try {
    await writeToken(services, context, token, keepOnError)
  } catch (error) {
    if (!(error instanceof SessionTooLarge)) throw error
    services.logger.error(error)
  }
}

/** Names the largest claims, with their sizes as JSON. Never their values. */
function describeLargestClaims(token: JWT): string {
  const claims = Object.entries(token).map(
    ([name, value]) => [name, JSON.stringify(value)?.length ?? 0] as const,
  )
  const largest = claims.sort((a, b) => b[1] - a[1]).slice(0, 3)
  return largest.map(([name, size]) => `${describeValue(name)} with ${size} characters`).join(", ")
}
