/**
 * Whether a host is the one in a list of allowed hosts.
 *
 * @param host in lower case, with a port that is not the default one
 * @param pattern a host; begins with `*.` for any sub-domain
 */
export function matchesHost(host: string, pattern: string): boolean {
  return pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern
}
