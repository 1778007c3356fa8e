/** Cookies of a request and of its answer (RFC 6265bis). */
import type { Cookie, CookieOptions, CookiesOptions } from "../types.ts"

/** A cookie with its name and all its attributes. */
export interface NamedCookie {
  readonly name: string
  readonly options: CookieOptions
}

/** The cookies of the library under their effective names. */
export type CookieTable = Readonly<Record<keyof CookiesOptions, NamedCookie>>

/** The cookies that a browser sent. */
export interface RequestCookies {
  /** The decoded value of the first cookie of that name; undefined when absent or empty. */
  get(name: string): string | undefined
  /** The same as it was sent. */
  sent(name: string): string | undefined
  /** Names that begin with a text, in the order they were sent; a name sent twice is listed twice. */
  namesFrom(prefix: string): readonly string[]
}

/** What is read at most: a browser sends far less, and most servers refuse this much anyway. */
const longestHeader = 131_072
const mostCookies = 1000

/** Parses a `Cookie` header; what cannot be read is left out. */
export function parseCookies(header: string | null | undefined): RequestCookies {
  return new SentCookies(header && header.length <= longestHeader ? beginning(header) : "")
}

/** As many cookies as are read. */
function beginning(header: string): string {
  if (header.length < mostCookies) return header
  let end = -1
  for (let count = 0; count < mostCookies; count++) {
    end = header.indexOf(";", end + 1)
    if (end === -1) return header
  }
  return header.slice(0, end)
}

/** Look-ups that search the header one by one. More of them, as of a set of cookies, are worth a table. */
const fewLookups = 16

/** Names and values are cut out when they are asked for: a browser sends many cookies, and few are ours. */
class SentCookies implements RequestCookies {
  readonly #header: string
  #lookups = 0
  #values: ReadonlyMap<string, string> | undefined

  constructor(header: string) {
    this.#header = header
  }

  get(name: string): string | undefined {
    return decoded(this.sent(name)) || undefined
  }

  sent(name: string): string | undefined {
    if (name === "") return undefined
    this.#lookups += 1
    return (this.#lookups > fewLookups ? this.#found(name) : this.#sought(name)) || undefined
  }

  /** The first one wins: a browser sends the cookie of the longest path first (RFC 6265bis 5.8.3). */
  #sought(name: string): string | undefined {
    const header = this.#header
    let at = header.indexOf(name)
    while (at !== -1) {
      const end = header.indexOf(";", at)
      const pair = header.slice(header.lastIndexOf(";", at) + 1, end === -1 ? undefined : end)
      if (nameOf(pair) === name) return sentValueOf(pair)
      at = end === -1 ? -1 : header.indexOf(name, end + 1)
    }
    return undefined
  }

  #found(name: string): string | undefined {
    this.#values ??= tableOf(this.#pairs())
    return this.#values.get(name)
  }

  #pairs(): readonly string[] {
    return this.#header.split(";")
  }

  namesFrom(prefix: string): readonly string[] {
    return this.#pairs()
      .map(nameOf)
      .filter((name) => name !== "" && name.startsWith(prefix))
  }
}

/** Values by name, the first one of each name. */
function tableOf(pairs: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const pair of pairs) {
    const name = nameOf(pair)
    if (!values.has(name)) values.set(name, sentValueOf(pair))
  }
  return values
}

function nameOf(pair: string): string {
  return pair.slice(0, Math.max(pair.indexOf("="), 0)).trim()
}

function sentValueOf(pair: string): string {
  return pair.slice(pair.indexOf("=") + 1).trim()
}

function decoded(value: string | undefined): string | undefined {
  if (!value?.includes("%")) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value // not percent-encoded: taken as it is
  }
}

/** The cookies of an answer, in the order in which they were first set; a later value replaces. */
export class CookieJar {
  // Made for the first one, since most answers set none: a `Map` for each would be more to clear away.
  #cookies: Map<string, Cookie> | undefined
  #anyway: Set<string> | undefined
  #kept: Set<string> | undefined
  #isLate = false

  /** Sets a cookie. `extra` replaces attributes. */
  set(cookie: NamedCookie, value: string, extra?: CookieOptions): void {
    this.#put({ name: cookie.name, value, options: { ...cookie.options, ...extra } })
  }

  /** Deletes a cookie, with the attributes it was set with. */
  delete(cookie: NamedCookie): void {
    const { expires: _, ...options } = cookie.options
    this.#put({ name: cookie.name, value: "", options: { ...options, maxAge: 0 } })
  }

  #put(cookie: Cookie): void {
    this.#cookies ??= new Map()
    this.#cookies.set(cookie.name, cookie)
    // What is set last decides, also on when it leaves.
    this.#anyway?.delete(cookie.name)
    this.#kept?.delete(cookie.name)
  }

  /** Deletes a cookie that is used up, whether or not what it was used for succeeds. */
  spend(cookie: NamedCookie): void {
    this.delete(cookie)
    this.#leaveAnyway(cookie)
  }

  /** Sets a cookie that a refusal leaves with, too. */
  setAnyway(cookie: NamedCookie, value: string, extra?: CookieOptions): void {
    this.set(cookie, value, extra)
    this.#leaveAnyway(cookie)
  }

  #leaveAnyway({ name }: NamedCookie): void {
    this.#anyway ??= new Set()
    this.#anyway.add(name)
  }

  /** Lets what was set or deleted under a name leave with a refusal, too, unless that comes late. */
  keep(name: string): void {
    this.#kept ??= new Set()
    this.#kept.add(name)
  }

  /** The request took too long: meanwhile the browser may have signed out, and somebody else in. */
  beLate(): void {
    this.#isLate = true
  }

  get list(): readonly Cookie[] {
    // A list of its own for each: applications get it, and may write into it.
    return this.#cookies ? [...this.#cookies.values()] : []
  }

  /** What leaves with a refusal or a fault: what was used up is deleted, and what exists nowhere else is kept. */
  get spentList(): readonly Cookie[] {
    const isKept = (name: string) => !this.#isLate && this.#kept?.has(name)
    return this.list.filter(({ name }) => this.#anyway?.has(name) || isKept(name))
  }
}

const cookieName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const cookieValue = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/
const attributeText = /^[\x20-\x3a\x3c-\x7e]*$/
const domainText = /^\.?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/

/**
 * Writes a `Set-Cookie` value.
 *
 * @throws TypeError for a name, value or attribute that the header cannot carry
 */
export function serializeCookie({ name, value, options }: Cookie): string {
  const encoded = (options.encode ?? encodeURIComponent)(value)
  if (!cookieName.test(name)) throw new TypeError(`\`${name}\` is not a cookie name`)
  if (!cookieValue.test(encoded)) throw new TypeError(`The value of \`${name}\` is not encoded`)
  return [`${name}=${encoded}`, ...attributes(name, options)].join("; ")
}

function* attributes(name: string, options: CookieOptions): Generator<string> {
  const { maxAge, domain, path, expires } = options
  if (maxAge !== undefined) {
    if (!Number.isInteger(maxAge))
      throw new TypeError(`\`maxAge\` of \`${name}\` is not an integer`)
    yield `Max-Age=${maxAge}`
  }
  if (domain !== undefined) {
    if (!domainText.test(domain))
      throw new TypeError(`\`domain\` of \`${name}\` is not a host name`)
    yield `Domain=${domain}`
  }
  if (path !== undefined) {
    if (!attributeText.test(path)) throw new TypeError(`\`path\` of \`${name}\` is not a path`)
    yield `Path=${path}`
  }
  if (expires !== undefined) {
    if (Number.isNaN(expires.getTime()))
      throw new TypeError(`\`expires\` of \`${name}\` is no date`)
    yield `Expires=${expires.toUTCString()}`
  }
  if (options.httpOnly) yield "HttpOnly"
  if (options.secure) yield "Secure"
  if (options.partitioned) yield "Partitioned"
  if (options.priority) yield `Priority=${capitalized(options.priority)}`
  if (options.sameSite) {
    yield `SameSite=${options.sameSite === true ? "Strict" : capitalized(options.sameSite)}`
  }
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()
}
