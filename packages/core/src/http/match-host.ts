/** Whether a value is a host as {@link matchesHost} expects it. */
export function isHostPattern(value: unknown): boolean {
  if (typeof value !== "string") return false
  const host = value.replace(/^\*\./, "")
  const url = `https://${host}`
  return !host.includes("*") && URL.canParse(url) && new URL(url).host === host
}

/**
 * Whether a host is the one in a list of allowed hosts.
 *
 * @param host in lower case, with a port that is not the default one
 * @param pattern a host; begins with `*.` for any sub-domain
 */
export function matchesHost(host: string, pattern: string): boolean {
  return pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern
}

/**
 * Whether a value is an origin as {@link matchesOrigin} expects it: as browsers write it, such as
 * `https://app.example.com`. Its host may begin with `*.`, but not if that would stand for all hosts of a top-level
 * domain.
 */
export function isOriginPattern(value: unknown): value is string {
  if (typeof value !== "string") return false
  const origin = value.replace("://*.", "://")
  if (!/^https?:[^*]+$/.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin)
    return false
  return origin === value || /[^.]\.[^.]|\/localhost\b/.test(origin)
}

/** Whether the scheme and host of a URL are one in a list of origins, whose hosts {@link matchesHost} compares. */
export function matchesOrigin({ protocol, host }: URL, patterns: readonly string[]): boolean {
  return patterns.some((entry) => {
    const [scheme, pattern = ""] = entry.split("://", 2)
    return protocol === `${scheme}:` && matchesHost(host, pattern)
  })
}
