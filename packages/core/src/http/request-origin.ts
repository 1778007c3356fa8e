/**
 * The origin of a request. Everything that derives one from headers uses this function. The callers differ in when they
 * trust `X-Forwarded-Host` and `X-Forwarded-Proto`:
 *
 * - `createActionURL` trusts them unless `trustHost` is false. Auth.js does so, too.
 * - The packages for frameworks answer requests from the network. They trust them only if the configuration, the
 *   environment or the platform says so explicitly, because clients can otherwise choose the origin.
 * - The package for Express follows the application's setting `trust proxy`.
 *
 * Each of them prefers the origin of `AUTH_URL`.
 */
import type { HeaderReader } from "./incoming-request.ts"

/**
 * Returns scheme and host as they are written: capitals and the default port stay.
 *
 * @param protocol of the connection, with or without its colon; `https` if it is unknown
 * @param trustForwarded whether to read `X-Forwarded-Host` and `X-Forwarded-Proto`
 * @param knownHost replaces the `Host` header
 * @throws TypeError when the host is missing or malformed, or the scheme is neither http nor https
 */
export function resolveRequestOrigin(
  protocol: string | undefined,
  headers: HeaderReader,
  trustForwarded: boolean,
  knownHost?: string,
): string {
  const readForwarded = (name: string): string | undefined =>
    (trustForwarded && headers.get(name)?.split(",", 1)[0]?.trim()) || undefined
  const forwardedHost = readForwarded("x-forwarded-host")
  const forwardedScheme = readForwarded("x-forwarded-proto")?.toLowerCase()
  const host = forwardedHost ?? knownHost ?? headers.get("host") ?? ""
  if (host !== knownHost && !isHost(host)) {
    throw new TypeError(`The ${forwardedHost ? "X-Forwarded-Host" : "Host"} header is not a host`)
  }
  const scheme = (forwardedScheme ?? (protocol || "https")).replace(/:$/, "")
  if (scheme === "http" || scheme === "https") return `${scheme}://${host}`
  const source = forwardedScheme ? "X-Forwarded-Proto header" : "protocol of the request"
  throw new TypeError(`The ${source} is neither http nor https`)
}

// RFC 3986 section 3.2.2 without userinfo: a name, an IPv4 or an IPv6 address, and optionally a port.
const hostPattern =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/

/** Whether a text is a host. `URL` rejects what the pattern allows, such as a port above 65535. */
function isHost(text: string): boolean {
  return hostPattern.test(text) && URL.canParse(`https://${text}`)
}
