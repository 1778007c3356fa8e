/** Proof that a form was made by this site: a signed double-submit cookie, bound to the session. */
import { type Hasher, legacyHashes } from "../crypto/digest.ts"
import { randomHex, sameText } from "../crypto/random.ts"

/** What a cookie proves. */
type CsrfStanding =
  /** The token was made for this session, or for nobody while nobody is signed in. */
  | { readonly kind: "bound"; readonly token: string }
  /** The token was made before somebody signed in here: good for signing in, not for acting as them. */
  | { readonly kind: "anonymous"; readonly token: string }
  | { readonly kind: "none" }

const cookieShape = /^([0-9a-f]{64})\|([0-9a-f]{64})$/

/** Makes and checks the pairs of token and hash. */
export interface Csrf {
  /** @param binding names the session, and is empty for nobody */
  create(binding: string): Promise<{ token: string; cookie: string }>
  check(cookie: string | undefined, binding: string): Promise<CsrfStanding>
}

export function createCsrf(hasher: Hasher, secrets: readonly string[]): Csrf {
  const matches = async (token: string, hash: string, binding: string): Promise<boolean> => {
    const good = await hasher.hashes("csrf", `${token} ${binding}`)
    return good.some((each) => sameText(each, hash))
  }
  return {
    async create(binding) {
      const token = randomHex()
      return { token, cookie: `${token}|${await hasher.hash("csrf", `${token} ${binding}`)}` }
    },
    async check(cookie, binding) {
      const [, token, hash] = cookieShape.exec(cookie ?? "") ?? []
      if (token === undefined || hash === undefined) return { kind: "none" }
      if (await matches(token, hash, binding)) return { kind: "bound", token }
      if (binding !== "" && (await matches(token, hash, ""))) return { kind: "anonymous", token }
      // A pair of the predecessor, which knew no binding: open pages survive a migration.
      const old = await legacyHashes(token, secrets)
      return old.some((each) => sameText(each, hash))
        ? { kind: "anonymous", token }
        : { kind: "none" }
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
