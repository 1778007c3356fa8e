/** Providers that accept one redirect URI: the deployment behind it forwards responses to the others. */
import { pendingSignInMaxAge } from "../../config/cookie-definitions.ts"
import { randomToken } from "../../crypto/random.ts"
import { InvalidCheck } from "../../errors.ts"
import { isLoopbackHost } from "../../http/private-hosts.ts"
import { getLocalRedirectUri, type OAuthContext } from "./oauth-context.ts"

/**
 * Returns the redirect URI to send, which may be that of a deployment that forwards the response, and a state. A sealed
 * state says where the response belongs.
 */
export async function createRedirect(
  context: OAuthContext,
): Promise<{ redirectUri: string; state: string }> {
  const { redirectProxyUrl } = context.provider
  const origin = getLocalRedirectUri(context)
  const random = randomToken()
  if (!redirectProxyUrl || hasSameOrigin(redirectProxyUrl, origin))
    return { redirectUri: origin, state: random }
  const state = await context.sealer.seal("proxied state", { random, origin }, pendingSignInMaxAge)
  return { redirectUri: redirectProxyUrl, state }
}

function hasSameOrigin(url: string, other: string): boolean {
  return new URL(url).origin === new URL(other).origin
}

/**
 * Returns the URL for a response that belongs to another deployment; undefined when it belongs to this one.
 *
 * @throws InvalidCheck for a state that is forged, too old, or names a deployment that is not allowed
 */
export async function resolveForwardUrl(
  context: OAuthContext,
  parameters: URLSearchParams,
): Promise<string | undefined> {
  const { config, sealer } = context
  const { id: provider, redirectProxyUrl } = context.provider
  const local = new URL(getLocalRedirectUri(context))
  const state = parameters.get("state") ?? ""
  const isProxy = redirectProxyUrl && hasSameOrigin(redirectProxyUrl, local.href)
  // A sealed state has five parts; the state of a direct sign-in has one.
  if (!isProxy || !state.includes(".")) return undefined
  const origin = (await sealer.open("proxied state", state))?.["origin"]
  const target = typeof origin === "string" && URL.canParse(origin) ? new URL(origin) : undefined
  if (target?.origin === local.origin) return undefined
  if (target && isAllowedTarget(target, local, config.redirectProxyOrigins)) {
    const isCallback = target.pathname.endsWith(`/callback/${provider}`)
    if (isCallback && target.search + target.hash === "") return `${target.href}?${parameters}`
  }
  const expected = "a state sealed by a deployment to which this one forwards"
  const hint = "Deployments share `secret`; list their origins in `redirectProxyOrigins`."
  throw new InvalidCheck({ provider, expected, hint })
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
