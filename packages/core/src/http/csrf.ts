/** Proof that a form was made by this site: a signed double-submit cookie, bound to the session. */
import { type Hasher, legacyHashes } from "../crypto/digest.ts"
import { randomHex, sameText } from "../crypto/random.ts"

/** The token, a hash of it alone, and a hash of it with the session that it was made for. */
const pairShape = /^([0-9a-f]{64})\|([0-9a-f]{32})([0-9a-f]{32})$/

/**
 * Whether a cookie may be a pair, whoever made it: its length, and where its parts meet. Looked at with each request;
 * the rest is looked at where it counts.
 *
 * @param sent the value before it is decoded
 */
export function isSentPair(sent: string | undefined): boolean {
  if (sent === undefined) return false
  return sent.length === 129 ? sent.charAt(64) === "|" : sent.length === 131 && isBar(sent, 64)
}

function isBar(sent: string, at: number): boolean {
  return sent.startsWith("%7C", at) || sent.startsWith("%7c", at)
}

/** Makes and checks the pairs of token and hash. */
export interface Csrf {
  /** @param binding names the session, and is empty for nobody */
  create(binding: string): Promise<{ token: string; cookie: string }>
  /** The token of a pair that was made here, for whichever session: good for signing in. */
  tokenOf(cookie: string | undefined): Promise<string | undefined>
  /** Whether a pair was made for this session: good for acting as the person that it is of. */
  isBound(cookie: string | undefined, binding: string): Promise<boolean>
}

export function createCsrf(hasher: Hasher, secrets: readonly string[]): Csrf {
  const half = (hash: string): string => hash.slice(0, 32)
  const bound = (token: string, binding: string): string => `${token} ${binding}`
  const matches = async (text: string, hash: string): Promise<boolean> => {
    const good = await hasher.hashes("csrf", text)
    return good.some((each) => sameText(half(each), hash))
  }
  return {
    async create(binding) {
      const token = randomHex()
      const own = half(await hasher.hash("csrf", token))
      return {
        token,
        cookie: `${token}|${own}${half(await hasher.hash("csrf", bound(token, binding)))}`,
      }
    },
    async tokenOf(cookie) {
      const [, token, own, rest] = pairShape.exec(cookie ?? "") ?? []
      if (token === undefined || own === undefined || rest === undefined) return undefined
      if (await matches(token, own)) return token
      // A pair of the predecessor, which knew no binding: open pages survive a migration.
      const old = await legacyHashes(token, secrets)
      return old.some((each) => sameText(each, own + rest)) ? token : undefined
    },
    async isBound(cookie, binding) {
      const [, token, , hash] = pairShape.exec(cookie ?? "") ?? []
      return token !== undefined && hash !== undefined && matches(bound(token, binding), hash)
    },
  }
}

/**
 * Whether the browser says that another site made this request. `Sec-Fetch-Site` cannot be forged by a page
 * and needs no knowledge of the own origin, so it goes first; `Origin` is for browsers without it.
 */
export function isCrossSite(headers: Headers, origin: string): boolean {
  const site = headers.get("sec-fetch-site")
  if (site !== null) return site !== "same-origin" && site !== "none"
  const from = headers.get("origin")
  return from !== null && from !== origin
}

/** Whether the browser says that a page of the own origin made this request. */
export function isSameOrigin(headers: Headers, origin: string): boolean {
  const site = headers.get("sec-fetch-site")
  return site === null ? headers.get("origin") === origin : site === "same-origin"
}
