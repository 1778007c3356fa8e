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
