/** The cookies of a browser, once it has the answer. */

/**
 * The `Cookie` header of a browser that has taken over the `Set-Cookie` lines of an answer. What is asked later in the
 * same request goes by it: the cookies of the request are those of a session that may have been changed, or ended, on
 * the way, and prolonging that one would bring it back.
 *
 * @param header of the request
 * @param lines of the answer so far; one with an empty value deletes its cookie
 */
export function applySetCookies(
  header: string | null | undefined,
  lines: readonly string[],
): string {
  if (lines.length === 0) return header ?? ""
  const changes = new Map(
    lines.map((line) => [getCookieName(line), line.split(";", 1).join().trim()]),
  )
  const kept = (header ?? "").split(";").filter((pair) => !changes.has(getCookieName(pair)))
  const added = [...changes.values()].filter((pair) => pair.indexOf("=") < pair.length - 1)
  return [...kept.map((pair) => pair.trim()).filter(Boolean), ...added].join("; ")
}

function getCookieName(pair: string): string {
  return pair.slice(0, Math.max(pair.indexOf("="), 0)).trim()
}
