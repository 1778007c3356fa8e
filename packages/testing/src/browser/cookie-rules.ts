import type { ParsedCookie, StoredCookie } from "./cookie.ts"

/** The circumstances that decide whether a cookie is sent, besides its address. */
export interface CookieContext {
  readonly url: URL
  readonly isCrossSite: boolean
  /** Whether the request is a navigation with a safe method. */
  readonly isSafeNavigation: boolean
  /** Whether the request is a navigation. */
  readonly isNavigation: boolean
}

/** Returns the violated rule, if any, among those that concern a single cookie (RFC 6265bis sections 4.1.3 and 5.7). */
export function findViolatedRule(
  { attributes }: ParsedCookie,
  cookie: StoredCookie,
  url: URL,
): string | undefined {
  const { name, value, secure, domain, hostOnly } = cookie
  const bytes = new TextEncoder().encode(name + value).length
  if (bytes === 0) return "neither name nor value"
  if (bytes > 4096) return `name and value have ${bytes} bytes, more than 4096`
  if (/(?!\t)\p{Cc}/u.test(cookie.raw)) return "a control character"
  if (!domainMatches(url.hostname, domain)) return `Domain ${domain} does not match ${url.hostname}`
  if (cookie.sameSite === "none" && !secure) return "SameSite=None without Secure"
  if (/^__secure-/i.test(name) && !secure) return "__Secure- without Secure"
  const meetsHostPrefixRules = secure && hostOnly && attributes.get("path") === "/"
  if (/^__host-/i.test(name) && !meetsHostPrefixRules)
    return "__Host- without Secure and Path=/, or with Domain"
  return undefined
}

/** Whether a cookie is sent with a request (section 5.8.3). */
export function shouldSendCookie(
  cookie: StoredCookie,
  { url, isCrossSite, isSafeNavigation }: CookieContext,
): boolean {
  if (cookie.secure && url.protocol !== "https:") return false
  const matchesHost = cookie.hostOnly
    ? url.hostname === cookie.domain
    : domainMatches(url.hostname, cookie.domain)
  if (!matchesHost || !pathMatches(url.pathname, cookie.path)) return false
  if (!isCrossSite || cookie.sameSite === "none") return true
  return cookie.sameSite !== "strict" && isSafeNavigation
}

function domainMatches(host: string, domain: string): boolean {
  if (host === domain) return true
  return host.endsWith(`.${domain}`) && domain.includes(".") && !/^[\d.]+$/.test(host)
}

function pathMatches(path: string, cookiePath: string): boolean {
  if (path === cookiePath) return true
  return path.startsWith(cookiePath.endsWith("/") ? cookiePath : `${cookiePath}/`)
}

/** Returns the path of a cookie without Path attribute: the folder of the page (section 5.1.4). */
export function computeDefaultPath({ pathname }: URL): string {
  return pathname.slice(0, pathname.lastIndexOf("/")) || "/"
}
