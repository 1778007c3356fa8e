import type { ParsedCookie, StoredCookie } from "./cookie.ts"
import { expiryOf, parseSetCookie, sameSiteOf } from "./cookie.ts"
import type { CookieContext } from "./cookie-rules.ts"
import { defaultPath, isSent, ruleBroken } from "./cookie-rules.ts"

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
    return this.#alive()[Symbol.iterator]()
  }

  /** How many cookies are alive. */
  get size(): number {
    return this.#alive().length
  }

  /** The names of the living cookies. */
  get names(): string[] {
    return this.#alive().map((cookie) => cookie.name)
  }

  /** Gives a living cookie by its exact name; of several the one with the longest path. */
  get(name: string): StoredCookie | undefined {
    return this.#alive().find((cookie) => cookie.name === name)
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  /** Forgets every cookie of that name; tells whether there was one. */
  delete(name: string): boolean {
    const doomed = [...this.#cookies].filter(([, cookie]) => cookie.name === name)
    for (const [key] of doomed) this.#cookies.delete(key)
    return doomed.length > 0
  }

  clear(): void {
    this.#cookies.clear()
  }

  /** Puts a cookie into the jar by whatever means an attacker or a restored backup has: no rule is applied. */
  plant(url: string | URL, setCookie: string): void {
    this.#keep(this.#made(parseSetCookie(setCookie), setCookie, new URL(url)))
  }

  /** Takes what a response sets, as far as the rules allow. */
  take(setCookies: readonly string[], context: CookieContext): void {
    for (const raw of setCookies) {
      const parsed = parseSetCookie(raw)
      const cookie = this.#made(parsed, raw, context.url)
      const reason = this.#objection(parsed, cookie, context)
      if (reason === undefined) this.#keep(cookie)
      else this.rejected.push({ raw, reason })
    }
  }

  /** The `Cookie` header of a request; undefined when nothing goes along. */
  header(context: CookieContext): string | undefined {
    const sent = this.#alive().filter((cookie) => isSent(cookie, context))
    return (
      sent.map(({ name, value }) => (name ? `${name}=${value}` : value)).join("; ") || undefined
    )
  }

  /** Longer paths first, then in the order in which they came (RFC 6265bis section 5.8.3). */
  #alive(): StoredCookie[] {
    const now = this.#now()
    for (const [key, { expires }] of this.#cookies) {
      if (expires !== undefined && expires <= now) this.#cookies.delete(key)
    }
    return [...this.#cookies.values()].sort((a, b) => b.path.length - a.path.length)
  }

  #keep(cookie: StoredCookie): void {
    this.#cookies.set(keyOf(cookie), cookie)
  }

  #made({ name, value, attributes }: ParsedCookie, raw: string, url: URL): StoredCookie {
    const domain = attributes.get("domain")?.replace(/^\./, "").toLowerCase()
    const path = attributes.get("path")
    const expires = expiryOf(attributes, this.#now())
    return {
      name,
      value,
      domain: domain || url.hostname,
      hostOnly: !domain,
      path: path?.startsWith("/") ? path : defaultPath(url),
      secure: attributes.has("secure"),
      httpOnly: attributes.has("httponly"),
      sameSite: sameSiteOf(attributes),
      ...(expires !== undefined && { expires }),
      raw,
    }
  }

  #objection(
    parsed: ParsedCookie,
    cookie: StoredCookie,
    context: CookieContext,
  ): string | undefined {
    const secureOrigin = context.url.protocol === "https:"
    const old = this.#cookies.get(keyOf(cookie))
    if (cookie.secure && !secureOrigin) return "Secure on plain http"
    if (!cookie.secure && old?.secure && !secureOrigin)
      return "would replace a Secure cookie from plain http"
    if (context.crossSite && !context.navigation && cookie.sameSite !== "none") {
      return "SameSite in a cross-site request that is no navigation"
    }
    return ruleBroken(parsed, cookie, context.url)
  }
}

function keyOf({ name, domain, hostOnly, path }: StoredCookie): string {
  return [name, domain, hostOnly, path].join(";")
}
