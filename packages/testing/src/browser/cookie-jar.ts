import type { ParsedCookie, StoredCookie } from "./cookie.ts"
import { computeExpiry, parseSameSite, parseSetCookie } from "./cookie.ts"
import type { CookieContext } from "./cookie-rules.ts"
import { computeDefaultPath, findViolatedRule, shouldSendCookie } from "./cookie-rules.ts"

/** A `Set-Cookie` line that the browser rejected. */
export interface RejectedCookie {
  readonly raw: string
  readonly reason: string
}

/** The cookies of a browser, under the rules of RFC 6265bis. */
export class CookieJar implements Iterable<StoredCookie> {
  /** Rejected lines, with reasons. It stays empty for applications that work in real browsers. */
  readonly rejected: RejectedCookie[] = []
  readonly #cookies = new Map<string, StoredCookie>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Iterates over the unexpired cookies. */
  [Symbol.iterator](): Iterator<StoredCookie> {
    return this.#listUnexpired()[Symbol.iterator]()
  }

  /** Number of unexpired cookies. */
  get size(): number {
    return this.#listUnexpired().length
  }

  /** Names of the unexpired cookies. */
  get names(): string[] {
    return this.#listUnexpired().map((cookie) => cookie.name)
  }

  /** Returns an unexpired cookie by its exact name; if there are several, the one with the longest path. */
  get(name: string): StoredCookie | undefined {
    return this.#listUnexpired().find((cookie) => cookie.name === name)
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  /** Deletes all cookies of that name. Returns whether there were any. */
  delete(name: string): boolean {
    const matching = [...this.#cookies].filter(([, cookie]) => cookie.name === name)
    for (const [key] of matching) this.#cookies.delete(key)
    return matching.length > 0
  }

  clear(): void {
    this.#cookies.clear()
  }

  /** Stores a cookie without applying any rule, as an attacker or a restored backup could. */
  setUnchecked(url: string | URL, setCookie: string): void {
    this.#store(this.#createCookie(parseSetCookie(setCookie), setCookie, new URL(url)))
  }

  /** Stores the cookies of a response, as far as the rules allow. */
  setCookies(setCookies: readonly string[], context: CookieContext): void {
    for (const raw of setCookies) {
      const parsed = parseSetCookie(raw)
      const cookie = this.#createCookie(parsed, raw, context.url)
      const reason = this.#findRejectionReason(parsed, cookie, context)
      if (reason === undefined) this.#store(cookie)
      else this.rejected.push({ raw, reason })
    }
  }

  /** Returns the `Cookie` header for a request; undefined if no cookie applies. */
  getCookieHeader(context: CookieContext): string | undefined {
    const sent = this.#listUnexpired().filter((cookie) => shouldSendCookie(cookie, context))
    return (
      sent.map(({ name, value }) => (name ? `${name}=${value}` : value)).join("; ") || undefined
    )
  }

  /** Sorts by path length, longest first, then by age (RFC 6265bis section 5.8.3). */
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
      return "SameSite in a cross-site request that is not a navigation"
    }
    return findViolatedRule(parsed, cookie, context.url)
  }
}

function createCookieKey({ name, domain, hostOnly, path }: StoredCookie): string {
  return [name, domain, hostOnly, path].join(";")
}
