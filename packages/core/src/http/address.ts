/** Which hosts are this machine or its neighbours, told from the text of the host alone. */

const loopbackV4 = /^127\.\d+\.\d+\.\d+$/

/** This machine: requests to it do not cross a network. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    loopbackV4.test(hostname)
  )
}

const privateV4 = [
  /^0\./,
  /^10\./,
  /^127\./,
  /^169\.254\./,
  /^192\.168\./,
  /^172\.(?:1[6-9]|2\d|3[01])\./,
  /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
]

/** Unspecified, unique local, link local, and IPv4 written as IPv6 (RFC 4193, RFC 4291). */
const privateV6 = /^\[(?:::1?\]|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:|::ffff:)/

/** This machine, or an address that means something only inside a network (RFC 1918, RFC 6890). */
export function isPrivate(hostname: string): boolean {
  if (isLoopback(hostname)) return true
  if (/^\d+\.\d+\.\d+\.\d+$/.test(hostname)) return privateV4.some((range) => range.test(hostname))
  return privateV6.test(hostname)
}
