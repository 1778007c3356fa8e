/** Providers that accept one redirect URI: the deployment behind it forwards responses to the others. */
import { pendingSignInMaxAge } from "../../config/cookie-definitions.ts"
import type { CoreServices } from "../../config/core-services.ts"
import { randomToken } from "../../crypto/random.ts"
import type { Sealer } from "../../crypto/sealer.ts"
import { InvalidCheck } from "../../errors.ts"
import { isLoopbackHost } from "../../http/private-hosts.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"

/** Returns the redirect URI to send: this deployment's, or that of another one that forwards the response. */
export function resolveRedirectUri(
  { redirectProxyUrl }: ResolvedOAuthProvider,
  localRedirectUri: string,
): string {
  if (!redirectProxyUrl || hasSameOrigin(redirectProxyUrl, localRedirectUri)) {
    return localRedirectUri
  }
  return redirectProxyUrl
}

function hasSameOrigin(url: string, other: string): boolean {
  return new URL(url).origin === new URL(other).origin
}

/** Creates a state. If another deployment receives the response, the sealed state says where it belongs. */
export async function createState(
  sealer: Sealer,
  redirectUri: string,
  localRedirectUri: string,
): Promise<string> {
  const random = randomToken()
  if (redirectUri === localRedirectUri) return random
  return sealer.seal("proxied state", { random, origin: localRedirectUri }, pendingSignInMaxAge)
}

/**
 * Returns the URL for a response that belongs to another deployment; undefined when it belongs to this one.
 *
 * @throws InvalidCheck for a state that is forged, too old, or names a deployment that is not allowed
 */
export async function resolveForwardUrl(
  { config, sealer }: CoreServices,
  { id, redirectProxyUrl }: ResolvedOAuthProvider,
  localRedirectUri: string,
  parameters: URLSearchParams,
): Promise<string | undefined> {
  const state = parameters.get("state") ?? ""
  const isProxy = redirectProxyUrl && hasSameOrigin(redirectProxyUrl, localRedirectUri)
  // A sealed state has five parts; the state of a direct sign-in has one.
  if (!isProxy || !state.includes(".")) return undefined
  const origin = (await sealer.open("proxied state", state))?.["origin"]
  const target = typeof origin === "string" && URL.canParse(origin) ? new URL(origin) : undefined
  const local = new URL(localRedirectUri)
  if (target?.origin === local.origin) return undefined
  if (target && isAllowedTarget(target, local, config.redirectProxyOrigins)) {
    const isCallback = target.pathname.endsWith(`/callback/${id}`)
    if (isCallback && target.search + target.hash === "") return `${target.href}?${parameters}`
  }
  throw new InvalidCheck({
    provider: id,
    expected: "a state sealed by a deployment to which this one forwards",
    hint: "Deployments share `secret`; list their origins in `redirectProxyOrigins`.",
  })
}

/** @param allowedOrigins may begin with `*.` for any subdomain */
function isAllowedTarget(target: URL, local: URL, allowedOrigins: readonly string[]): boolean {
  const { protocol, hostname, host, origin } = target
  if (target.username || target.password) return false
  if (protocol === "http:" && isLoopbackHost(hostname)) return true
  if (protocol === local.protocol && hostname.endsWith(`.${local.hostname}`)) return true
  return allowedOrigins.some((entry) => {
    const [allowedScheme, allowedHost] = entry.split("://", 2)
    if (allowedHost?.startsWith("*.") !== true) return entry === origin
    return protocol === `${allowedScheme}:` && host.endsWith(allowedHost.slice(1))
  })
}
