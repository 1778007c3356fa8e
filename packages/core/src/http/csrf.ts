/** CSRF protection by a signed double-submit cookie that is bound to the session. */
import { computeAuthjsHashes, type Hasher } from "../crypto/digest.ts"
import { randomHex, timingSafeEqual } from "../crypto/random.ts"

/** The token, a hash of it, and a hash of it together with the session that it was created for. */
const csrfCookiePattern = /^([0-9a-f]{64})\|([0-9a-f]{32})([0-9a-f]{32})$/

/** Whether a value, before decoding, has the shape of a CSRF cookie. A cheap check for every request. */
export function isCsrfCookieShaped(rawValue: string | undefined): boolean {
  return rawValue !== undefined && /^.{64}(?:\||%7c).{64}$/i.test(rawValue)
}

/** Creates and verifies pairs of a token and its cookie. */
export interface CsrfTokens {
  /** @param sessionBinding identifies the session; empty if nobody is signed in */
  createToken(sessionBinding: string): Promise<{ token: string; cookie: string }>
  /** Returns the token of a cookie that was created here for any session. It authorizes signing in. */
  readToken(cookie: string | undefined): Promise<string | undefined>
  /** Whether a cookie was created for this session. It then authorizes what the user of the session does. */
  isBoundToSession(cookie: string | undefined, sessionBinding: string): Promise<boolean>
}

export function createCsrfTokens(hasher: Hasher, secrets: readonly string[]): CsrfTokens {
  const truncateHash = (hash: string): string => hash.slice(0, 32)
  const bindToken = (token: string, sessionBinding: string): string => `${token} ${sessionBinding}`
  const hash = async (text: string): Promise<string> =>
    truncateHash(await hasher.hash("csrf", text))
  const matches = async (text: string, expectedHash: string): Promise<boolean> => {
    const validHashes = await hasher.hashWithEachSecret("csrf", text)
    return validHashes.some((each) => timingSafeEqual(truncateHash(each), expectedHash))
  }
  return {
    async createToken(sessionBinding) {
      const token = randomHex()
      const boundHash = await hash(bindToken(token, sessionBinding))
      return { token, cookie: `${token}|${await hash(token)}${boundHash}` }
    },
    async readToken(cookie) {
      const [, token, tokenHash, boundHash] = csrfCookiePattern.exec(cookie ?? "") ?? []
      if (!token || !tokenHash || !boundHash) return undefined
      if (await matches(token, tokenHash)) return token
      // Auth.js does not bind tokens to sessions. Accepting its cookies keeps open pages working after a migration.
      const authjsHashes = await computeAuthjsHashes(token, secrets)
      return authjsHashes.some((each) => timingSafeEqual(each, tokenHash + boundHash))
        ? token
        : undefined
    },
    async isBoundToSession(cookie, sessionBinding) {
      const [, token, , boundHash] = csrfCookiePattern.exec(cookie ?? "") ?? []
      return token && boundHash ? matches(bindToken(token, sessionBinding), boundHash) : false
    },
  }
}

/**
 * Whether the browser says that another site made this request. `Sec-Fetch-Site` comes first, because pages cannot
 * forge it and it works without knowing the own origin. `Origin` is for browsers without it.
 */
export function isCrossSite(headers: Headers, origin: string): boolean {
  const fetchSite = headers.get("sec-fetch-site")
  if (fetchSite !== null) return fetchSite !== "same-origin" && fetchSite !== "none"
  const requestOrigin = headers.get("origin")
  return requestOrigin !== null && requestOrigin !== origin
}

/** Whether the browser says that a page of the same origin made this request. */
export function isSameOrigin(headers: Headers, origin: string): boolean {
  const fetchSite = headers.get("sec-fetch-site")
  return fetchSite === null ? headers.get("origin") === origin : fetchSite === "same-origin"
}
