import type { ParsedCookie, StoredCookie } from "./cookie.ts"

/** What decides whether a cookie goes along, besides its address. */
export interface CookieContext {
  readonly url: URL
  readonly isCrossSite: boolean
  /** The request changes what the address bar shows, and its method is safe. */
  readonly isSafeNavigation: boolean
  /** The request changes what the address bar shows. */
  readonly isNavigation: boolean
}

/** The rules that need no knowledge of other cookies (RFC 6265bis sections 4.1.3 and 5.7). */
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
  if (!domainMatches(url.hostname, domain)) return `Domain ${domain} is not that of ${url.hostname}`
  if (cookie.sameSite === "none" && !secure) return "SameSite=None without Secure"
  if (/^__secure-/i.test(name) && !secure) return "__Secure- without Secure"
  const meetsHostPrefixRules = secure && hostOnly && attributes.get("path") === "/"
  if (/^__host-/i.test(name) && !meetsHostPrefixRules)
    return "__Host- without Secure and Path=/, or with Domain"
  return undefined
}

/** Tells whether a cookie goes along with a request (section 5.8.3). */
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

/** The folder of the page that set a cookie without Path (section 5.1.4). */
export function computeDefaultPath({ pathname }: URL): string {
  return pathname.slice(0, pathname.lastIndexOf("/")) || "/"
}
