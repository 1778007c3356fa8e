/** The `Set-Cookie` lines of an answer that others set cookies on, too. */

/**
 * Adds lines to those of an answer. Cookies that others set stay. An earlier line for the same cookie goes, and one for
 * other parts of it (`name.0`, `name.1`) deletes that part: a session that was refreshed on the way must not outlive its
 * end, nor be mixed with the next one.
 */
export function withCookieLines(earlier: readonly string[], lines: readonly string[]): string[] {
  const names = new Set(lines.map(nameOf))
  const wholes = new Set(lines.map(cookieOf))
  const kept = earlier.filter((line) => !names.has(nameOf(line)))
  return [...kept.map((line) => (wholes.has(cookieOf(line)) ? deletion(line) : line)), ...lines]
}

/** The browser may have the cookie from before, whatever this answer was to do with it. */
function deletion(line: string): string {
  const attributes = line.split(";").slice(1)
  const lasting = attributes.filter((each) => !/^\s*(?:expires|max-age)=/i.test(each))
  return [`${nameOf(line)}=; Max-Age=0`, ...lasting].join(";")
}

/** Those of the lines that set the same cookies as others, or parts of them. */
export function touching(lines: readonly string[], others: readonly string[]): readonly string[] {
  const wholes = new Set(others.map(cookieOf))
  return lines.filter((line) => wholes.has(cookieOf(line)))
}

function nameOf(line: string): string {
  return line.slice(0, line.indexOf("="))
}

/** The name of the cookie that a line sets, or sets a part of. */
function cookieOf(line: string): string {
  return wholeName(nameOf(line))
}

/** The name of a cookie, given that or the name of one of its parts (`name.0`, `name.1`). */
export function wholeName(name: string): string {
  return name.replace(/\.\d+$/, "")
}

/**
 * The `Cache-Control` of an answer that sets a cookie of the library: what a cache keeps, it gives to others, cookie
 * included (RFC 9111 section 7.3). Whether it may be compressed on the way is left as it is: streams of events may not.
 *
 * @param written by the application, until now
 */
export function unstored(written: string | null | undefined): string {
  const known = written ?? ""
  if (/\bno-store\b/i.test(known)) return known
  return /\bno-transform\b/i.test(known) ? "private, no-store, no-transform" : "private, no-store"
}
