/**
 * Detects hosts of this machine and of private networks by their text alone. Provider metadata may not lead to them:
 * `flows/oauth/provider-metadata.ts`.
 */

// RFC 6761 section 6.3. A trailing dot does not change the name.
const loopbackPattern = /^(?:(?:.+\.)?localhost\.?|\[::1\]|127\.\d+\.\d+\.\d+)$/

/** Whether a host is this machine, so that requests to it do not cross a network. */
export function isLoopbackHost(hostname: string): boolean {
  return loopbackPattern.test(hostname)
}

const privateIpv4Patterns = [
  /^(?:0|10|127)\./,
  /^169\.254\./,
  /^192\.168\./,
  /^172\.(?:1[6-9]|2\d|3[01])\./,
  /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
  /^192\.0\.0\./,
  /^198\.1[89]\./,
  /^(?:22[4-9]|2[3-5]\d)\./, // multicast and reserved
]

/** 2000::/3, the only block assigned to the public network (RFC 4291 section 2.4). */
const publicIpv6Pattern = /^\[[23][0-9a-f]{3}:/

/** Whether a host is this machine, or an address of a private network (RFC 1918, RFC 6890). */
export function isPrivateHost(hostname: string): boolean {
  if (isLoopbackHost(hostname)) return true
  if (/^\d+\.\d+\.\d+\.\d+$/.test(hostname))
    return privateIpv4Patterns.some((range) => range.test(hostname))
  return hostname.startsWith("[") && !publicIpv6Pattern.test(hostname)
}
