/**
 * Detects hosts of this machine and of private networks by their text alone. Provider metadata may not lead to them
 * (`flows/oauth/provider-metadata.ts`), and as addresses of clients they tell nothing.
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

/** Whether an endpoint may receive codes and secrets. */
export function isSecureEndpoint({ protocol, hostname }: URL, allowInsecure: boolean): boolean {
  if (protocol === "https:") return true
  return protocol === "http:" && (allowInsecure || isLoopbackHost(hostname))
}

/**
 * Returns an IPv4 address, or the first 64 bits of an IPv6 address: one subscriber has all addresses that begin with
 * them (RFC 6177). Each network has one spelling, and an IPv4-mapped IPv6 address is the IPv4 address.
 *
 * Returns undefined for loopback and private addresses, because all clients behind a reverse proxy have its address.
 *
 * @param address may have a port or a zone, as some proxies write it
 */
export function parseClientNetwork(address: string | undefined): string | undefined {
  if (address === undefined) return undefined
  const [, ipv4] = /^(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/.exec(address) ?? []
  const ipv6 = address.replace(/^\[(.*)\](?::\d+)?$/, "$1").replace(/%.*$/, "")
  const url = `http://${ipv4 ?? `[${ipv6}]`}`
  if (!URL.canParse(url)) return undefined
  const host = toIpv4(new URL(url).hostname)
  if (isPrivateHost(host)) return undefined
  return host.startsWith("[") ? expandGroups(host).slice(0, 4).join(":") : host
}

/** Returns the address in an IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2), and other hosts as they are. */
function toIpv4(host: string): string {
  if (!host.startsWith("[::ffff:")) return host
  const [high = 0, low = 0] = expandGroups(host)
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join(".")
}

/** Returns the eight groups of an IPv6 host that `URL` wrote, so that `::` stands for at least one group. */
function expandGroups(host: string): string[] {
  const [start = [], end = []] = host
    .slice(1, -1)
    .split("::")
    .map((part) => part.split(":").filter(Boolean))
  return [...start, ...Array<string>(8 - start.length - end.length).fill("0"), ...end]
}
