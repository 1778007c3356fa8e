/** Where to go afterwards: the rule that keeps every redirect on the own origin (RFC 9700 section 4.11). */

/** Longest callback URL in characters; a longer one is treated as absent. */
const longest = 2048

// Control characters, and what a URL parser folds into slashes or drops.
const forbidden = /[\p{Cc}\u2028\u2029]/u

/** A candidate as a stranger sent it: text of an acceptable length without control characters. */
export function acceptableUrl(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "" || value.length > longest) return undefined
  return forbidden.test(value) ? undefined : value
}

/**
 * The default `redirect` callback: a path, or a URL of the same origin, is kept; anything else becomes the
 * base URL.
 */
export function sameOriginUrl({ url, baseUrl }: { url: string; baseUrl: string }): string {
  const target = resolved(url, baseUrl)
  return target && target.origin === new URL(baseUrl).origin ? written(url, target) : baseUrl
}

/**
 * What a `redirect` callback may answer: a path of the own origin, or an absolute http(s) URL that the
 * application chose. Anything else is undefined.
 */
export function redirectTarget(answer: unknown, baseUrl: string): string | undefined {
  const url = acceptableUrl(answer)
  const target = url === undefined ? undefined : resolved(url, baseUrl)
  if (url === undefined || !target) return undefined
  const absolute = /^https?:\/\/[^/\\]/i.test(url)
  return absolute || target.origin === new URL(baseUrl).origin ? written(url, target) : undefined
}

function resolved(url: string, baseUrl: string): URL | undefined {
  if (!acceptableUrl(url) || !(url.startsWith("/") || /^https?:/i.test(url))) return undefined
  const target = URL.parse ? URL.parse(url, baseUrl) : parsed(url, baseUrl)
  if (!target || (target.protocol !== "https:" && target.protocol !== "http:")) return undefined
  return target.username || target.password ? undefined : target
}

function parsed(url: string, baseUrl: string): URL | null {
  try {
    return new URL(url, baseUrl)
  } catch {
    return null // what cannot be parsed is no URL
  }
}

/** A bare origin stays bare, as the application wrote it. */
function written(url: string, target: URL): string {
  return url === target.origin ? url : target.href
}
