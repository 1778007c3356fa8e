/** The host and scheme that a request was made to, as its headers tell. */
import type { HeaderReader } from "./incoming-request.ts"

type HeaderGetter = Pick<HeaderReader, "get">

/**
 * Scheme and host that a request names, as they are written there: capitals and the usual port are still in it.
 *
 * @param protocol of the connection, with or without its colon; `https` when empty
 * @param trustForwarded whether `X-Forwarded-Host` and `X-Forwarded-Proto` count
 * @throws TypeError when the host is missing or none, or the scheme is neither http nor https
 */
export function resolveRequestOrigin(
  protocol: string,
  headers: HeaderGetter,
  trustForwarded: boolean,
): string {
  const host = (trustForwarded ? readForwardedHost(headers) : undefined) ?? readHost(headers)
  const scheme =
    (trustForwarded ? readForwardedProtocol(headers) : undefined) ??
    (protocol.replace(/:$/, "") || "https")
  if (scheme === "http" || scheme === "https") return `${scheme}://${host}`
  throw new TypeError(`The protocol of the request is neither http nor https: ${scheme}`)
}

// RFC 3986 section 3.2.2, without userinfo: a name or IPv4 address, or an IPv6 address, and maybe a port.
const hostPattern =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/

/** What has the shape may still be no host: a port over 65535, an address with five parts. */
function isHost(text: string): boolean {
  return hostPattern.test(text) && URL.canParse(`https://${text}`)
}

/**
 * The `Host` of a request.
 *
 * @throws TypeError when it is missing or not a host
 */
export function readHost(headers: HeaderGetter): string {
  const host = headers.get("host") ?? ""
  if (!isHost(host)) throw new TypeError("The Host header of the request is not a host")
  return host
}

/**
 * The first host of `X-Forwarded-Host`.
 *
 * @throws TypeError when it is not a host
 */
export function readForwardedHost(headers: HeaderGetter): string | undefined {
  const host = firstListItem(headers.get("x-forwarded-host"))
  if (host !== undefined && !isHost(host)) {
    throw new TypeError("The X-Forwarded-Host header of the request is not a host")
  }
  return host
}

/**
 * The first scheme of `X-Forwarded-Proto`.
 *
 * @throws TypeError when it is neither http nor https
 */
export function readForwardedProtocol(headers: HeaderGetter): "http" | "https" | undefined {
  const scheme = firstListItem(headers.get("x-forwarded-proto"))?.replace(/:$/, "").toLowerCase()
  if (scheme === undefined || scheme === "http" || scheme === "https") return scheme
  throw new TypeError("The X-Forwarded-Proto header of the request is neither http nor https")
}

function firstListItem(list: string | null): string | undefined {
  return list?.split(",", 1)[0]?.trim() || undefined
}
