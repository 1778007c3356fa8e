/** Proof that a form was made by this site: a signed double-submit cookie, bound to the session. */
import { computeAuthjsHashes, type Hasher } from "../crypto/digest.ts"
import { randomHex, timingSafeEqual } from "../crypto/random.ts"

/** The token, a hash of it alone, and a hash of it with the session that it was made for. */
const csrfCookiePattern = /^([0-9a-f]{64})\|([0-9a-f]{32})([0-9a-f]{32})$/

/**
 * Whether a cookie may be a pair, whoever made it: its length, and where its parts meet. Looked at with each request;
 * the rest is looked at where it counts.
 *
 * @param rawValue the value before it is decoded
 */
export function isCsrfCookieShaped(rawValue: string | undefined): boolean {
  if (rawValue === undefined) return false
  return rawValue.length === 129
    ? rawValue.charAt(64) === "|"
    : rawValue.length === 131 && isEncodedBar(rawValue, 64)
}

function isEncodedBar(rawValue: string, at: number): boolean {
  return rawValue.startsWith("%7C", at) || rawValue.startsWith("%7c", at)
}

/** Makes and checks the pairs of token and hash. */
export interface CsrfTokens {
  /** @param sessionBinding names the session, and is empty for nobody */
  createToken(sessionBinding: string): Promise<{ token: string; cookie: string }>
  /** The token of a pair that was made here, for whichever session: good for signing in. */
  readToken(cookie: string | undefined): Promise<string | undefined>
  /** Whether a pair was made for this session: good for acting as the person that it is of. */
  isBoundToSession(cookie: string | undefined, sessionBinding: string): Promise<boolean>
}

export function createCsrfTokens(hasher: Hasher, secrets: readonly string[]): CsrfTokens {
  const truncateHash = (hash: string): string => hash.slice(0, 32)
  const bindToken = (token: string, sessionBinding: string): string => `${token} ${sessionBinding}`
  const matches = async (text: string, hash: string): Promise<boolean> => {
    const validHashes = await hasher.hashWithEachSecret("csrf", text)
    return validHashes.some((each) => timingSafeEqual(truncateHash(each), hash))
  }
  return {
    async createToken(sessionBinding) {
      const token = randomHex()
      const tokenHash = truncateHash(await hasher.hash("csrf", token))
      return {
        token,
        cookie: `${token}|${tokenHash}${truncateHash(await hasher.hash("csrf", bindToken(token, sessionBinding)))}`,
      }
    },
    async readToken(cookie) {
      const [, token, tokenHash, boundHash] = csrfCookiePattern.exec(cookie ?? "") ?? []
      if (token === undefined || tokenHash === undefined || boundHash === undefined)
        return undefined
      if (await matches(token, tokenHash)) return token
      // A pair of the predecessor, which knew no binding: open pages survive a migration.
      const authjsHashes = await computeAuthjsHashes(token, secrets)
      return authjsHashes.some((each) => timingSafeEqual(each, tokenHash + boundHash))
        ? token
        : undefined
    },
    async isBoundToSession(cookie, sessionBinding) {
      const [, token, , hash] = csrfCookiePattern.exec(cookie ?? "") ?? []
      return (
        token !== undefined && hash !== undefined && matches(bindToken(token, sessionBinding), hash)
      )
    },
  }
}

/**
 * Whether the browser says that another site made this request. `Sec-Fetch-Site` cannot be forged by a page
 * and needs no knowledge of the own origin, so it goes first; `Origin` is for browsers without it.
 */
export function isCrossSite(headers: Headers, origin: string): boolean {
  const fetchSite = headers.get("sec-fetch-site")
  if (fetchSite !== null) return fetchSite !== "same-origin" && fetchSite !== "none"
  const requestOrigin = headers.get("origin")
  return requestOrigin !== null && requestOrigin !== origin
}

/** Whether the browser says that a page of the own origin made this request. */
export function isSameOrigin(headers: Headers, origin: string): boolean {
  const fetchSite = headers.get("sec-fetch-site")
  return fetchSite === null ? headers.get("origin") === origin : fetchSite === "same-origin"
}
