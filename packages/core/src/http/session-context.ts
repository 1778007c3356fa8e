/** A request as far as sessions need it: its cookies, and the cookies of the response. */

import { memoize } from "../crypto/memoize.ts"
import { InvalidRequest } from "../errors.ts"
import { type CookieDefinitions, CookieJar, parseCookies, type RequestCookies } from "./cookies.ts"
import type { HeaderReader } from "./incoming-request.ts"
import { matchesHost } from "./match-host.ts"
import type { RequestSource } from "./request-view.ts"

/** The part of the configuration that decides how requests are read. */
export interface SessionRequestConfig {
  readonly allowedHosts: readonly string[] | undefined
  readonly cookies: { readonly secure: CookieDefinitions; readonly plain: CookieDefinitions }
  readonly useSecureCookies: boolean | undefined
}

/** The same for requests to the library's own routes. */
export interface RequestConfig extends SessionRequestConfig {
  readonly basePath: string
  readonly development: boolean
  readonly debug: boolean
}

/** The part of a request that sessions use: enough to read one, and to set cookies on the response. */
export class SessionContext {
  readonly headers: HeaderReader
  readonly url: URL
  /** Scheme, host and port. */
  readonly origin: string
  readonly cookies: RequestCookies
  /** The library's cookies under the names for this scheme. */
  readonly cookieDefinitions: CookieDefinitions
  /** The cookies of the response. */
  readonly jar: CookieJar = new CookieJar()
  /** Whether the response can set cookies. If not, reading the session changes nothing: no cookie, and no row. */
  canSetCookies = true
  /**
   * The check of a sealed session, once it has begun: the CSRF token and the action need the same one. An entry of a
   * `WeakMap` would cost more in garbage collection.
   */
  sessionCheck?: Promise<unknown>
  /** The results of that check, of which there are several if the browser sends several session cookies. */
  checkedSessions?: readonly unknown[]
  /** The request that callbacks see, if it is another one. */
  source: RequestSource = this

  /** @throws InvalidRequest for a host that the configuration does not list */
  constructor(headers: HeaderReader, url: URL, config: SessionRequestConfig) {
    assertAllowedHost(url, config)
    this.headers = headers
    this.url = url
    const isSecure = config.useSecureCookies ?? url.protocol === "https:"
    this.origin = url.origin
    this.cookies = parseCookies(headers.get("cookie"))
    this.cookieDefinitions = isSecure ? config.cookies.secure : config.cookies.plain
  }
}

/** Maximum number of refused hosts that are logged for a list, each once: anybody can send any host. */
const maxReportedHosts = 20
/** Returns the reported hosts. By the content of the list, because it may be created for each request. */
const getReportedHosts = memoize((_patterns: string) => new Set<string>(), 64)

function assertAllowedHost({ host }: URL, { allowedHosts }: SessionRequestConfig): void {
  if (!allowedHosts || allowedHosts.some((pattern) => matchesHost(host, pattern))) return
  const reported = getReportedHosts(allowedHosts.join(" "))
  const isRepeated = reported.has(host) || reported.size >= maxReportedHosts
  if (!isRepeated) reported.add(host)
  throw new InvalidRequest(400, {
    expected: "a host that `trustHost` lists",
    received: host,
    hint: "If the host is yours, add it to `trustHost`.",
    isRepeated,
  })
}
