/** The cookies of a request and of its response (RFC 6265bis). */
import type { Cookie, CookieOptions, CookiesOptions } from "../types.ts"

/** A cookie's name and attributes. */
export interface CookieDefinition {
  readonly name: string
  /** The names that the cookie had before, which are still read. */
  readonly formerNames?: readonly string[]
  readonly options: CookieOptions
}

/** The library's cookies under their effective names. */
export type CookieDefinitions = Readonly<
  Record<Exclude<keyof CookiesOptions, "nonce" | "pkceCodeVerifier">, CookieDefinition>
>

/**
 * Returns what the names of all cookies of an application begin with. Several applications on a host need only another
 * session cookie each. None begins like the session cookie itself, which Auth.js would take for a part of it.
 */
export function getNameStem(sessionCookieName: string): string {
  const name = String(sessionCookieName).replace(/^__(?:Secure|Host)-/, "")
  const [, stem] = /^(.+)\.session-token$/.exec(name) ?? []
  return stem ?? `authjs.${name}`
}

/** The purposes of cookies that applications cannot configure: the ends of their names. */
export const hostCookies = [
  "error-report",
  "form-response",
  "pending-sign-in",
  "requested-link",
  "second-factor",
  "sign-in-failure",
  "trusted-device",
] as const

/** Returns the definition of a cookie that applications cannot configure. */
export function createHostCookie(
  { csrfToken, sessionToken }: CookieDefinitions,
  purpose: (typeof hostCookies)[number],
): CookieDefinition {
  const secure = csrfToken.options.secure === true
  const stem = getNameStem(sessionToken.name)
  const name = `${secure ? "__Host-" : ""}${stem === "authjs" ? "latchkey" : stem}.${purpose}`
  return { name, options: { httpOnly: true, sameSite: "lax", path: "/", secure } }
}

/** The cookies that a browser sent. */
export interface RequestCookies {
  /** Returns the decoded value of the first cookie of that name; undefined if it is absent or empty. */
  get(name: string): string | undefined
  /** Returns the decoded values of all cookies of that name in the order of the header. */
  getAll(name: string): readonly string[]
  /** Returns the value as it was sent. */
  getRaw(name: string): string | undefined
  /** Lists the names that start with a prefix in the order of the header. A name sent twice is listed twice. */
  namesWithPrefix(prefix: string): readonly string[]
}

/** The limits of what is parsed. Browsers send far less, and most servers refuse this much. */
const maxHeaderLength = 131_072
const maxCookies = 1000

/** Parses a `Cookie` header, skipping what is malformed. */
export function parseCookies(header: string | null | undefined): RequestCookies {
  const text = header && header.length <= maxHeaderLength ? header : ""
  const names: string[] = []
  const values = new Map<string, string[]>()
  for (const pair of text.split(";", maxCookies)) {
    const name = parseCookieName(pair)
    if (name === "") continue
    names.push(name)
    const value = pair.slice(pair.indexOf("=") + 1).trim()
    if (values.get(name)?.push(value) === undefined) values.set(name, [value])
  }
  // The first cookie of a name wins: browsers send the one of the longest path first (RFC 6265bis section 5.8.3).
  const getRaw = (name: string) => values.get(name)?.[0] || undefined
  return {
    get: (name) => decodeValue(getRaw(name)) || undefined,
    getAll: (name) => (values.get(name) ?? []).flatMap((value) => decodeValue(value) || []),
    getRaw,
    namesWithPrefix: (prefix) => names.filter((name) => name.startsWith(prefix)),
  }
}

/**
 * Returns the name in `name=value`, which attributes may follow; an empty string if there is none. Only spaces and tabs
 * are removed (RFC 6265bis section 5.6): a sub-domain may set `__Host-` after white space that browsers do not know.
 */
export function parseCookieName(pair: string): string {
  const name = pair.slice(0, Math.max(pair.indexOf("="), 0))
  return /[^\t -~]/.test(name) ? name : name.trim()
}

function decodeValue(value: string | undefined): string | undefined {
  if (!value?.includes("%")) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value // not percent-encoded
  }
}

/** Returns the cookie that deletes another one, which must have the same attributes. */
export function createDeletion({ name, options }: CookieDefinition): Cookie {
  const { expires: _, ...attributes } = options
  return { name, value: "", options: { ...attributes, maxAge: 0 } }
}

interface JarEntry {
  readonly cookie: Cookie
  /** Whether error responses also set the cookie. */
  readonly onError?: "always" | "unless-timed-out"
}

/** The cookies of a response in the order in which they were first set. A later call replaces an earlier one. */
export class CookieJar {
  readonly #entries = new Map<string, JarEntry>()
  #isTimedOut = false

  /** Sets a cookie. `attributes` replace those of the definition. */
  set({ name, options }: CookieDefinition, value: string, attributes?: CookieOptions): void {
    this.#entries.set(name, { cookie: { name, value, options: { ...options, ...attributes } } })
  }

  /** Deletes a cookie. */
  delete(cookie: CookieDefinition): void {
    this.#entries.set(cookie.name, { cookie: createDeletion(cookie) })
  }

  /** Deletes a cookie of the same name that was set for another domain, or for none. */
  deleteOther({ name, options }: CookieDefinition, domain: string | undefined): void {
    const { domain: ownDomain, ...attributes } = options
    // Browsers ignore such a cookie.
    if (domain === ownDomain || name.startsWith("__Host-")) return
    const definition = {
      name,
      options: domain === undefined ? attributes : { ...attributes, domain },
    }
    this.#entries.set(`${name}; ${domain}`, { cookie: createDeletion(definition) })
  }

  /** Deletes a cookie that can be used only once, even if the request fails. */
  consume(cookie: CookieDefinition): void {
    this.delete(cookie)
    this.keepOnError(cookie.name, "always")
  }

  /** Sends what was set or deleted under a name even if the request fails. */
  keepOnError(name: string, onError: JarEntry["onError"] = "unless-timed-out"): void {
    const entry = this.#entries.get(name)
    if (entry) this.#entries.set(name, { onError, ...entry })
  }

  /** Marks the request as timed out: meanwhile the browser may have signed out, and another user in. */
  markTimedOut(): void {
    this.#isTimedOut = true
  }

  /** A new array each time, because applications receive it and may change it. */
  get list(): readonly Cookie[] {
    return [...this.#entries.values()].map(({ cookie }) => cookie)
  }

  /** The cookies of an error response: deletions of used cookies, and values that exist nowhere else. */
  get cookiesOnError(): readonly Cookie[] {
    return [...this.#entries.values()].flatMap(({ cookie, onError }) =>
      onError === "always" || (onError && !this.#isTimedOut) ? [cookie] : [],
    )
  }
}

const cookieNamePattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const cookieValuePattern = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/
const attributeValuePattern = /^[\x20-\x3a\x3c-\x7e]*$/
const attributeWordPattern = /^[a-z]*$/i
const domainPattern = /^\.?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/

/**
 * Serializes a cookie as a `Set-Cookie` value.
 *
 * @throws TypeError for a name, value or attribute that the header cannot carry
 */
export function serializeCookie({ name, value, options }: Cookie): string {
  const { encode, maxAge, domain, path, expires, priority, sameSite } = options
  const encoded = (encode ?? encodeURIComponent)(value)
  const assertValid = (isValid: boolean, subject: string, expected: string): void => {
    if (!isValid) throw new TypeError(`${subject} \`${name}\` is not ${expected}`)
  }
  const isDate = expires === undefined || !Number.isNaN(expires.getTime())
  assertValid(cookieNamePattern.test(name), "The name", "a cookie name")
  // Percent-encoding leaves only characters that a value may have.
  assertValid(!encode || cookieValuePattern.test(encoded), "The value of", "encoded")
  assertValid(maxAge === undefined || Number.isInteger(maxAge), "`maxAge` of", "an integer")
  assertValid(domain === undefined || domainPattern.test(domain), "`domain` of", "a host name")
  assertValid(path === undefined || attributeValuePattern.test(path), "`path` of", "a path")
  assertValid(isDate, "`expires` of", "a date")
  const words = `${priority ?? ""}${sameSite ?? ""}`
  assertValid(attributeWordPattern.test(words), "`priority` or `sameSite` of", "a word")
  let line = `${name}=${encoded}`
  if (maxAge !== undefined) line += `; Max-Age=${maxAge}`
  if (domain !== undefined) line += `; Domain=${domain}`
  if (path !== undefined) line += `; Path=${path}`
  if (expires !== undefined) line += `; Expires=${expires.toUTCString()}`
  if (options.httpOnly) line += "; HttpOnly"
  if (options.secure) line += "; Secure"
  if (options.partitioned) line += "; Partitioned"
  if (priority) line += `; Priority=${capitalize(priority)}`
  if (sameSite) line += `; SameSite=${sameSite === true ? "Strict" : capitalize(sameSite)}`
  return line
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()
}
