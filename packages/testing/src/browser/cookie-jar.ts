import type { ParsedCookie, StoredCookie } from "./cookie.ts"
import { computeExpiry, parseSameSite, parseSetCookie } from "./cookie.ts"
import type { CookieContext } from "./cookie-rules.ts"
import { computeDefaultPath, findViolatedRule, shouldSendCookie } from "./cookie-rules.ts"

/** A `Set-Cookie` that the browser did not take. */
export interface RejectedCookie {
  readonly raw: string
  readonly reason: string
}

/** The cookies of a browser, under the rules of RFC 6265bis. */
export class CookieJar implements Iterable<StoredCookie> {
  /** What was not taken, and why. An application that works in real browsers leaves it empty. */
  readonly rejected: RejectedCookie[] = []
  readonly #cookies = new Map<string, StoredCookie>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** The living cookies. */
  [Symbol.iterator](): Iterator<StoredCookie> {
    return this.#listUnexpired()[Symbol.iterator]()
  }

  /** How many cookies are alive. */
  get size(): number {
    return this.#listUnexpired().length
  }

  /** The names of the living cookies. */
  get names(): string[] {
    return this.#listUnexpired().map((cookie) => cookie.name)
  }

  /** Gives a living cookie by its exact name; of several the one with the longest path. */
  get(name: string): StoredCookie | undefined {
    return this.#listUnexpired().find((cookie) => cookie.name === name)
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  /** Forgets every cookie of that name; tells whether there was one. */
  delete(name: string): boolean {
    const matching = [...this.#cookies].filter(([, cookie]) => cookie.name === name)
    for (const [key] of matching) this.#cookies.delete(key)
    return matching.length > 0
  }

  clear(): void {
    this.#cookies.clear()
  }

  /** Puts a cookie into the jar by whatever means an attacker or a restored backup has: no rule is applied. */
  setUnchecked(url: string | URL, setCookie: string): void {
    this.#store(this.#createCookie(parseSetCookie(setCookie), setCookie, new URL(url)))
  }

  /** Takes what a response sets, as far as the rules allow. */
  setCookies(setCookies: readonly string[], context: CookieContext): void {
    for (const raw of setCookies) {
      const parsed = parseSetCookie(raw)
      const cookie = this.#createCookie(parsed, raw, context.url)
      const reason = this.#findRejectionReason(parsed, cookie, context)
      if (reason === undefined) this.#store(cookie)
      else this.rejected.push({ raw, reason })
    }
  }

  /** The `Cookie` header of a request; undefined when nothing goes along. */
  getCookieHeader(context: CookieContext): string | undefined {
    const sent = this.#listUnexpired().filter((cookie) => shouldSendCookie(cookie, context))
    return (
      sent.map(({ name, value }) => (name ? `${name}=${value}` : value)).join("; ") || undefined
    )
  }

  /** Longer paths first, then in the order in which they came (RFC 6265bis section 5.8.3). */
  #listUnexpired(): StoredCookie[] {
    const now = this.#now()
    for (const [key, { expires }] of this.#cookies) {
      if (expires !== undefined && expires <= now) this.#cookies.delete(key)
    }
    return [...this.#cookies.values()].sort((a, b) => b.path.length - a.path.length)
  }

  #store(cookie: StoredCookie): void {
    this.#cookies.set(createCookieKey(cookie), cookie)
  }

  #createCookie({ name, value, attributes }: ParsedCookie, raw: string, url: URL): StoredCookie {
    const domain = attributes.get("domain")?.replace(/^\./, "").toLowerCase()
    const path = attributes.get("path")
    const expires = computeExpiry(attributes, this.#now())
    return {
      name,
      value,
      domain: domain || url.hostname,
      hostOnly: !domain,
      path: path?.startsWith("/") ? path : computeDefaultPath(url),
      secure: attributes.has("secure"),
      httpOnly: attributes.has("httponly"),
      sameSite: parseSameSite(attributes),
      ...(expires !== undefined && { expires }),
      raw,
    }
  }

  #findRejectionReason(
    parsed: ParsedCookie,
    cookie: StoredCookie,
    context: CookieContext,
  ): string | undefined {
    const secureOrigin = context.url.protocol === "https:"
    const existing = this.#cookies.get(createCookieKey(cookie))
    if (cookie.secure && !secureOrigin) return "Secure on plain http"
    if (!cookie.secure && existing?.secure && !secureOrigin)
      return "would replace a Secure cookie from plain http"
    if (context.isCrossSite && !context.isNavigation && cookie.sameSite !== "none") {
      return "SameSite in a cross-site request that is no navigation"
    }
    return findViolatedRule(parsed, cookie, context.url)
  }
}

function createCookieKey({ name, domain, hostOnly, path }: StoredCookie): string {
  return [name, domain, hostOnly, path].join(";")
}
