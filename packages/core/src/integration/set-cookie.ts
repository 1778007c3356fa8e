/** The `Set-Cookie` lines of an answer that others set cookies on, too. */

/**
 * Adds lines to those of an answer. Cookies that others set stay. An earlier line for the same cookie goes, and one for
 * other parts of it (`name.0`, `name.1`) deletes that part: a session that was refreshed on the way must not outlive its
 * end, nor be mixed with the next one.
 */
export function mergeSetCookies(earlier: readonly string[], lines: readonly string[]): string[] {
  const names = new Set(lines.map(getCookieName))
  const baseNames = new Set(lines.map(getBaseCookieName))
  const kept = earlier.filter((line) => !names.has(getCookieName(line)))
  return [
    ...kept.map((line) => (baseNames.has(getBaseCookieName(line)) ? toDeletion(line) : line)),
    ...lines,
  ]
}

/** The browser may have the cookie from before, whatever this answer was to do with it. */
function toDeletion(line: string): string {
  const attributes = line.split(";").slice(1)
  const keptAttributes = attributes.filter(
    (attribute) => !/^\s*(?:expires|max-age)=/i.test(attribute),
  )
  return [`${getCookieName(line)}=; Max-Age=0`, ...keptAttributes].join(";")
}

/** Those of the lines that set the same cookies as others, or parts of them. */
export function cookiesNamed(
  lines: readonly string[],
  others: readonly string[],
): readonly string[] {
  const baseNames = new Set(others.map(getBaseCookieName))
  return lines.filter((line) => baseNames.has(getBaseCookieName(line)))
}

function getCookieName(line: string): string {
  return line.slice(0, line.indexOf("="))
}

/** The name of the cookie that a line sets, or sets a part of. */
function getBaseCookieName(line: string): string {
  return removeChunkSuffix(getCookieName(line))
}

/** The name of a cookie, given that or the name of one of its parts (`name.0`, `name.1`). */
export function removeChunkSuffix(name: string): string {
  return name.replace(/\.\d+$/, "")
}

/**
 * The `Cache-Control` of an answer that sets a cookie of the library: what a cache keeps, it gives to others, cookie
 * included (RFC 9111 section 7.3). Whether it may be compressed on the way is left as it is: streams of events may not.
 *
 * @param cacheControl by the application, until now
 */
export function noStore(cacheControl: string | null | undefined): string {
  const existing = cacheControl ?? ""
  if (/\bno-store\b/i.test(existing)) return existing
  return /\bno-transform\b/i.test(existing)
    ? "private, no-store, no-transform"
    : "private, no-store"
}
