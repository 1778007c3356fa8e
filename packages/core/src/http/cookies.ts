/** Cookies of a request and of its answer (RFC 6265bis). */
import type { Cookie, CookieOptions, CookiesOptions } from "../types.ts"

/** A cookie with its name and all its attributes. */
export interface CookieDefinition {
  readonly name: string
  readonly options: CookieOptions
}

/** The cookies of the library under their effective names. */
export type CookieDefinitions = Readonly<
  Record<Exclude<keyof CookiesOptions, "nonce" | "pkceCodeVerifier">, CookieDefinition>
>

/** The cookies that a browser sent. */
export interface RequestCookies {
  /** The decoded value of the first cookie of that name; undefined when absent or empty. */
  get(name: string): string | undefined
  /** The same as it was sent. */
  getRaw(name: string): string | undefined
  /** Names that begin with a text, in the order they were sent; a name sent twice is listed twice. */
  namesWithPrefix(prefix: string): readonly string[]
}

/** What is read at most: a browser sends far less, and most servers refuse this much anyway. */
const maxHeaderLength = 131_072
const maxCookies = 1000

/** Parses a `Cookie` header; what cannot be read is left out. */
export function parseCookies(header: string | null | undefined): RequestCookies {
  return new LazyRequestCookies(
    header && header.length <= maxHeaderLength ? truncateHeader(header) : "",
  )
}

/** As many cookies as are read. */
function truncateHeader(header: string): string {
  if (header.length < maxCookies) return header
  let end = -1
  for (let count = 0; count < maxCookies; count++) {
    end = header.indexOf(";", end + 1)
    if (end === -1) return header
  }
  return header.slice(0, end)
}

/** Look-ups that search the header one by one. More of them, as of a set of cookies, are worth a table. */
const maxScans = 16

/** Names and values are cut out when they are asked for: a browser sends many cookies, and few are ours. */
class LazyRequestCookies implements RequestCookies {
  readonly #header: string
  #lookups = 0
  #values: ReadonlyMap<string, string> | undefined

  constructor(header: string) {
    this.#header = header
  }

  get(name: string): string | undefined {
    return decodeValue(this.getRaw(name)) || undefined
  }

  getRaw(name: string): string | undefined {
    if (name === "") return undefined
    this.#lookups += 1
    return (this.#lookups > maxScans ? this.#lookUp(name) : this.#scan(name)) || undefined
  }

  /** The first one wins: a browser sends the cookie of the longest path first (RFC 6265bis 5.8.3). */
  #scan(name: string): string | undefined {
    const header = this.#header
    let at = header.indexOf(name)
    while (at !== -1) {
      const end = header.indexOf(";", at)
      const pair = header.slice(header.lastIndexOf(";", at) + 1, end === -1 ? undefined : end)
      if (parseCookieName(pair) === name) return parseRawValue(pair)
      at = end === -1 ? -1 : header.indexOf(name, end + 1)
    }
    return undefined
  }

  #lookUp(name: string): string | undefined {
    this.#values ??= indexValues(this.#splitPairs())
    return this.#values.get(name)
  }

  #splitPairs(): readonly string[] {
    return this.#header.split(";")
  }

  namesWithPrefix(prefix: string): readonly string[] {
    return this.#splitPairs()
      .map(parseCookieName)
      .filter((name) => name !== "" && name.startsWith(prefix))
  }
}

/** Values by name, the first one of each name. */
function indexValues(pairs: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const pair of pairs) {
    const name = parseCookieName(pair)
    if (!values.has(name)) values.set(name, parseRawValue(pair))
  }
  return values
}

function parseCookieName(pair: string): string {
  return pair.slice(0, Math.max(pair.indexOf("="), 0)).trim()
}

function parseRawValue(pair: string): string {
  return pair.slice(pair.indexOf("=") + 1).trim()
}

function decodeValue(value: string | undefined): string | undefined {
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
  #evenOnError: Set<string> | undefined
  #keptOnError: Set<string> | undefined
  #isTimedOut = false

  /** Sets a cookie. `extra` replaces attributes. */
  set(cookie: CookieDefinition, value: string, attributes?: CookieOptions): void {
    this.#put({ name: cookie.name, value, options: { ...cookie.options, ...attributes } })
  }

  /** Deletes a cookie, with the attributes it was set with. */
  delete(cookie: CookieDefinition): void {
    const { expires: _, ...options } = cookie.options
    this.#put({ name: cookie.name, value: "", options: { ...options, maxAge: 0 } })
  }

  #put(cookie: Cookie): void {
    this.#cookies ??= new Map()
    this.#cookies.set(cookie.name, cookie)
    // What is set last decides, also on when it leaves.
    this.#evenOnError?.delete(cookie.name)
    this.#keptOnError?.delete(cookie.name)
  }

  /** Deletes a cookie that is used up, whether or not what it was used for succeeds. */
  consume(cookie: CookieDefinition): void {
    this.delete(cookie)
    this.#sendEvenOnError(cookie)
  }

  /** Sets a cookie that a refusal leaves with, too. */
  setEvenOnError(cookie: CookieDefinition, value: string, attributes?: CookieOptions): void {
    this.set(cookie, value, attributes)
    this.#sendEvenOnError(cookie)
  }

  #sendEvenOnError({ name }: CookieDefinition): void {
    this.#evenOnError ??= new Set()
    this.#evenOnError.add(name)
  }

  /** Lets what was set or deleted under a name leave with a refusal, too, unless that comes late. */
  keepOnError(name: string): void {
    this.#keptOnError ??= new Set()
    this.#keptOnError.add(name)
  }

  /** The request took too long: meanwhile the browser may have signed out, and somebody else in. */
  markTimedOut(): void {
    this.#isTimedOut = true
  }

  get list(): readonly Cookie[] {
    // A list of its own for each: applications get it, and may write into it.
    return this.#cookies ? [...this.#cookies.values()] : []
  }

  /** What leaves with a refusal or a fault: what was used up is deleted, and what exists nowhere else is kept. */
  get cookiesOnError(): readonly Cookie[] {
    const isKept = (name: string) => !this.#isTimedOut && this.#keptOnError?.has(name)
    return this.list.filter(({ name }) => this.#evenOnError?.has(name) || isKept(name))
  }
}

const cookieNamePattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const cookieValuePattern = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/
const attributeValuePattern = /^[\x20-\x3a\x3c-\x7e]*$/
const domainPattern = /^\.?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/

/**
 * Writes a `Set-Cookie` value.
 *
 * @throws TypeError for a name, value or attribute that the header cannot carry
 */
export function serializeCookie({ name, value, options }: Cookie): string {
  const encoded = (options.encode ?? encodeURIComponent)(value)
  if (!cookieNamePattern.test(name)) throw new TypeError(`\`${name}\` is not a cookie name`)
  if (!cookieValuePattern.test(encoded))
    throw new TypeError(`The value of \`${name}\` is not encoded`)
  return [`${name}=${encoded}`, ...serializeAttributes(name, options)].join("; ")
}

function* serializeAttributes(name: string, options: CookieOptions): Generator<string> {
  const { maxAge, domain, path, expires } = options
  if (maxAge !== undefined) {
    if (!Number.isInteger(maxAge))
      throw new TypeError(`\`maxAge\` of \`${name}\` is not an integer`)
    yield `Max-Age=${maxAge}`
  }
  if (domain !== undefined) {
    if (!domainPattern.test(domain))
      throw new TypeError(`\`domain\` of \`${name}\` is not a host name`)
    yield `Domain=${domain}`
  }
  if (path !== undefined) {
    if (!attributeValuePattern.test(path))
      throw new TypeError(`\`path\` of \`${name}\` is not a path`)
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
  if (options.priority) yield `Priority=${capitalize(options.priority)}`
  if (options.sameSite) {
    yield `SameSite=${options.sameSite === true ? "Strict" : capitalize(options.sameSite)}`
  }
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()
}
