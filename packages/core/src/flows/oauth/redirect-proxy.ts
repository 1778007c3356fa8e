/** Providers that know one redirect URI: a deployment of it passes answers on to the others. */
import { pendingSignInMaxAge } from "../../config/cookie-definitions.ts"
import type { CoreServices } from "../../config/core-services.ts"
import { randomToken } from "../../crypto/random.ts"
import { InvalidCheck } from "../../errors.ts"
import { isLoopbackHost } from "../../http/private-hosts.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"

/** The redirect URI to use, and whether an answer comes by way of another deployment. */
export interface ResolvedRedirectUri {
  readonly redirectUri: string
  readonly isProxied: boolean
}

/** Where the provider sends the browser back to. */
export function resolveRedirectUri(
  provider: ResolvedOAuthProvider,
  callbackUrl: string,
): ResolvedRedirectUri {
  const proxy = provider.redirectProxyUrl
  if (!proxy || hasSameOrigin(proxy, callbackUrl))
    return { redirectUri: callbackUrl, isProxied: false }
  return { redirectUri: proxy, isProxied: true }
}

function hasSameOrigin(proxy: string, callbackUrl: string): boolean {
  return new URL(proxy).origin === new URL(callbackUrl).origin
}

/** A state; behind a proxy it tells, sealed, where the answer belongs. */
export async function createState(
  { sealer }: CoreServices,
  isProxied: boolean,
  callbackUrl: string,
): Promise<string> {
  const random = randomToken()
  if (!isProxied) return random
  return sealer.seal("proxied state", { random, origin: callbackUrl }, pendingSignInMaxAge)
}

/**
 * Where to forward an answer that belongs to another deployment; undefined when it is ours.
 *
 * @throws InvalidCheck for a state that was forged, is too old, or names a place outside of the allow-list
 */
export async function resolveForwardUrl(
  { config, sealer }: CoreServices,
  provider: ResolvedOAuthProvider,
  callbackUrl: string,
  parameters: URLSearchParams,
): Promise<string | undefined> {
  const proxy = provider.redirectProxyUrl
  const state = parameters.get("state") ?? ""
  // A sealed state has five parts; a state of our own has one.
  if (!proxy || !hasSameOrigin(proxy, callbackUrl) || !state.includes(".")) return undefined
  const payload = await sealer.open("proxied state", state)
  const target = payload?.["origin"]
  if (typeof target !== "string" || !URL.canParse(target)) throw createStateError(provider.id)
  const url = new URL(target)
  if (url.origin === new URL(callbackUrl).origin) return undefined
  const hasCallbackPath =
    url.pathname.endsWith(`/callback/${provider.id}`) && url.search + url.hash === ""
  if (
    !hasCallbackPath ||
    !isAllowedForwardTarget(url, new URL(callbackUrl), config.redirectProxyOrigins)
  ) {
    throw createStateError(provider.id)
  }
  return `${url.href}?${parameters}`
}

/** An origin may be written with `*.` for any sub-domain. */
function isAllowedForwardTarget(
  target: URL,
  currentUrl: URL,
  allowedOrigins: readonly string[],
): boolean {
  if (target.username || target.password) return false
  if (target.protocol === "http:" && isLoopbackHost(target.hostname)) return true
  if (
    target.protocol === currentUrl.protocol &&
    target.hostname.endsWith(`.${currentUrl.hostname}`)
  )
    return true
  return allowedOrigins.some((entry) => {
    const [scheme, host] = entry.split("://", 2)
    if (host?.startsWith("*.") !== true) return entry === target.origin
    return target.protocol === `${scheme}:` && target.host.endsWith(host.slice(1))
  })
}

function createStateError(provider: string): InvalidCheck {
  return new InvalidCheck({
    provider,
    expected: "a state that was sealed by a deployment which this one forwards to",
    hint: "Deployments share `secret`; name their origins in `redirectProxyOrigins`.",
  })
}
