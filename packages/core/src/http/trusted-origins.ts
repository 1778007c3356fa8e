/** The origins of other web servers whose pages an application trusts like its own. */
import { matchesOrigin } from "./match-host.ts"

/**
 * Whether the page that sent a request has a trusted origin.
 *
 * @param origin the `Origin` header, or the origin of a URL
 */
export function isTrustedOrigin(
  origin: string | null,
  trustedOrigins: readonly string[],
): origin is string {
  if (origin === null || trustedOrigins.length === 0 || !URL.canParse(origin)) return false
  const url = new URL(origin)
  return url.origin === origin && matchesOrigin(url, trustedOrigins)
}
