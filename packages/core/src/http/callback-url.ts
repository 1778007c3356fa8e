/** Where to go afterwards: the rule that keeps every redirect on the own origin (RFC 9700 section 4.11). */

/** Longest callback URL in characters, as it is asked for and as it is written. */
const maxUrlLength = 2048

// Control characters, and what a URL parser folds into slashes or drops.
const forbiddenCharacters = /[\p{Cc}\u2028\u2029]/u

/**
 * Tells whether what a stranger asked for is a callback URL at all. One that no browser could go to by http(s),
 * that carries a user name, or that is too long to be remembered, counts as absent.
 */
export function isCallbackUrl(value: unknown, baseUrl: string): value is string {
  return typeof value === "string" && parseTarget(value, baseUrl) !== undefined
}

/**
 * The default `redirect` callback: a path, or a URL of the same origin, is kept; anything else becomes the
 * base URL, which is an origin here and below. What it answers is a {@link validateRedirectUrl}.
 */
export function resolveSameOriginUrl({ url, baseUrl }: { url: string; baseUrl: string }): string {
  const target = parseTarget(url, baseUrl)
  return target && hasSameOrigin(target, baseUrl) ? target.href : baseUrl
}

/**
 * What a `redirect` callback may answer: a path of the own origin, or an absolute http(s) URL that the
 * application chose. Anything else is undefined.
 */
export function validateRedirectUrl(callbackResult: unknown, baseUrl: string): string | undefined {
  const target =
    typeof callbackResult === "string" ? parseTarget(callbackResult, baseUrl) : undefined
  return target && (target.isAbsolute || hasSameOrigin(target, baseUrl)) ? target.href : undefined
}

/** A place that a browser could go to by http(s). */
interface RedirectTarget {
  readonly origin: string
  /** It names its host itself, and does not take it from the page that it is on. */
  readonly isAbsolute: boolean
  /** As it is written into headers and cookies; a bare origin stays bare, as the application wrote it. */
  readonly href: string
}

function parseTarget(text: string, baseUrl: string): RedirectTarget | undefined {
  // Where most requests lead: an origin, which is a URL of the web.
  if (text === baseUrl) return { origin: baseUrl, isAbsolute: true, href: text }
  if (text.length > maxUrlLength || forbiddenCharacters.test(text)) return undefined
  if (!/^(?:\/|https?:)/i.test(text)) return undefined
  if (!URL.canParse(text, baseUrl)) return undefined
  const url = new URL(text, baseUrl)
  if (url.username !== "" || url.password !== "") return undefined
  // What one parser takes for a slash is none to another one.
  const written = text === url.origin ? text : url.href.replaceAll("\\", "%5C")
  if (written.length > maxUrlLength) return undefined
  return { origin: url.origin, isAbsolute: /^https?:\/\/[^/\\]/i.test(text), href: written }
}

function hasSameOrigin({ origin }: RedirectTarget, baseUrl: string): boolean {
  return origin === baseUrl
}
