/** Which hosts are this machine or its neighbours, told from the text of the host alone. */

/** RFC 6761 section 6.3; the dot at the end makes no other name of it. */
const loopbackName = /^(?:.+\.)?localhost\.?$/
const loopbackV4 = /^127\.\d+\.\d+\.\d+$/

/** This machine: requests to it do not cross a network. */
export function isLoopback(hostname: string): boolean {
  return loopbackName.test(hostname) || hostname === "[::1]" || loopbackV4.test(hostname)
}

const privateV4 = [
  /^0\./,
  /^10\./,
  /^127\./,
  /^169\.254\./,
  /^192\.168\./,
  /^172\.(?:1[6-9]|2\d|3[01])\./,
  /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
  /^192\.0\.0\./,
  /^198\.1[89]\./,
  /^(?:22[4-9]|2[3-5]\d)\./, // multicast and reserved
]

/** 2000::/3, all that was given out for the public network (RFC 4291 section 2.4). */
const publicV6 = /^\[[23][0-9a-f]{3}:/

/** This machine, or an address that means something only inside a network (RFC 1918, RFC 6890). */
export function isPrivate(hostname: string): boolean {
  if (isLoopback(hostname)) return true
  if (/^\d+\.\d+\.\d+\.\d+$/.test(hostname)) return privateV4.some((range) => range.test(hostname))
  return hostname.startsWith("[") && !publicV6.test(hostname)
}
