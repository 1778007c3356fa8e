/** The rules that keep redirects on the application's own and trusted origins (RFC 9700 section 4.11). */
import { isTrustedOrigin } from "./cross-origin.ts"

/** The longest callback URL in characters, both as requested and as written into a header. */
const maxUrlLength = 2048

// Control characters, and characters that a URL parser drops or turns into slashes.
const forbiddenCharacters = /[\p{Cc}\u2028\u2029]/u

/**
 * Whether an untrusted value is a callback URL: one that a browser can open by http(s), that has no user name, and that
 * is short enough to be stored in a cookie. Callers treat anything else as absent.
 */
export function isCallbackUrl(value: unknown, baseUrl: string): value is string {
  return parseTarget(value, baseUrl) !== undefined
}

/**
 * The default `redirect` callback. Returns a path, or a URL of the same or a trusted origin, and the base URL for
 * anything else.
 *
 * @param baseUrl an origin, here and below
 */
export function resolveTrustedUrl(
  { url, baseUrl }: { url: string; baseUrl: string },
  trustedOrigins: readonly string[],
): string {
  const target = parseTarget(url, baseUrl)
  const isAllowed =
    target?.origin === baseUrl || isTrustedOrigin(target?.origin ?? null, trustedOrigins)
  return target && isAllowed ? target.href : baseUrl
}

/**
 * Validates the result of a `redirect` callback: a path of the own origin, or an absolute http(s) URL that the
 * application chose. Returns undefined for anything else.
 */
export function validateRedirectUrl(callbackResult: unknown, baseUrl: string): string | undefined {
  const target = parseTarget(callbackResult, baseUrl)
  return target?.isAbsolute || target?.origin === baseUrl ? target.href : undefined
}

/**
 * Returns a target that a browser can open by http(s), and whether it names its host itself. Its `href` is as written
 * into headers and cookies: an origin gets no trailing slash, as in the application's configuration.
 */
function parseTarget(text: unknown, baseUrl: string) {
  // Most requests lead to the origin itself.
  if (text === baseUrl) return { origin: baseUrl, isAbsolute: true, href: baseUrl }
  if (typeof text !== "string" || text.length > maxUrlLength) return undefined
  if (forbiddenCharacters.test(text) || !/^(?:\/|https?:)/i.test(text)) return undefined
  if (!URL.canParse(text, baseUrl)) return undefined
  const url = new URL(text, baseUrl)
  if (url.username !== "" || url.password !== "") return undefined
  // Parsers disagree on whether a backslash is a slash.
  const href = text === url.origin ? text : url.href.replaceAll("\\", "%5C")
  if (href.length > maxUrlLength) return undefined
  return { origin: url.origin, isAbsolute: /^https?:\/\/[^/\\]/i.test(text), href }
}
