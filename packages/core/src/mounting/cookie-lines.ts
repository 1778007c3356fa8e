/** The `Set-Cookie` lines of an answer that others set cookies on, too. */

/**
 * Adds lines to those of an answer. Cookies that others set stay; an earlier line for the same cookie, or for parts of
 * it (`name.0`, `name.1`), goes: a session that was refreshed on the way must not outlive its end.
 */
export function withCookieLines(earlier: readonly string[], lines: readonly string[]): string[] {
  const replaced = new Set(lines.map(cookieOf))
  return [...earlier.filter((line) => !replaced.has(cookieOf(line))), ...lines]
}

/** The name of the cookie that a line sets, or sets a part of. */
function cookieOf(line: string): string {
  return line.slice(0, line.indexOf("=")).replace(/\.\d+$/, "")
}

/**
 * The `Cache-Control` of an answer that sets a cookie of the library: what a cache keeps, it gives to others, cookie
 * included (RFC 9111 section 7.3).
 *
 * @param written by the application, until now
 */
export function unstored(written: string | null | undefined): string {
  return /\bno-store\b/i.test(written ?? "") ? String(written) : "private, no-store"
}
