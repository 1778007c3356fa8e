/** The network that a request comes from, by the address of its client. */
import { isPrivateHost } from "./private-hosts.ts"

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
