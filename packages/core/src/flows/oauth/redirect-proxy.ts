/** Providers that know one redirect URI: a deployment of it passes answers on to the others. */
import { flowLifetime } from "../../config/cookies.ts"
import type { ResolvedConfig } from "../../config/resolved-config.ts"
import { randomToken } from "../../crypto/random.ts"
import { InvalidCheck } from "../../errors.ts"
import { isLoopback } from "../../http/address.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved.ts"

/** The redirect URI to use, and whether an answer comes by way of another deployment. */
export interface Return {
  readonly redirectUri: string
  readonly proxied: boolean
}

/** Where the provider sends the browser back to. */
export function returnTo(provider: ResolvedOAuthProvider, callbackUrl: string): Return {
  const proxy = provider.redirectProxyUrl
  if (!proxy || isOwn(proxy, callbackUrl)) return { redirectUri: callbackUrl, proxied: false }
  return { redirectUri: proxy, proxied: true }
}

function isOwn(proxy: string, callbackUrl: string): boolean {
  return new URL(proxy).origin === new URL(callbackUrl).origin
}

/** A state; behind a proxy it tells, sealed, where the answer belongs. */
export async function createState(
  config: ResolvedConfig,
  proxied: boolean,
  callbackUrl: string,
): Promise<string> {
  const random = randomToken()
  if (!proxied) return random
  return config.sealer.seal("proxied state", { random, origin: callbackUrl }, flowLifetime)
}

/**
 * Where to forward an answer that belongs to another deployment; undefined when it is ours.
 *
 * @throws InvalidCheck for a state that was forged, is too old, or names a place outside of the allow-list
 */
export async function forwardTarget(
  config: ResolvedConfig,
  provider: ResolvedOAuthProvider,
  callbackUrl: string,
  parameters: URLSearchParams,
): Promise<string | undefined> {
  const proxy = provider.redirectProxyUrl
  const state = parameters.get("state") ?? ""
  // A sealed state has five parts; a state of our own has one.
  if (!proxy || !isOwn(proxy, callbackUrl) || !state.includes(".")) return undefined
  const opened = await config.sealer.open("proxied state", state)
  const target = opened?.["origin"]
  if (typeof target !== "string" || !URL.canParse(target)) throw refused(provider.id)
  const url = new URL(target)
  if (url.origin === new URL(callbackUrl).origin) return undefined
  const path = url.pathname.endsWith(`/callback/${provider.id}`) && url.search + url.hash === ""
  if (!path || !isAllowed(url, new URL(callbackUrl), config.redirectProxyOrigins)) {
    throw refused(provider.id)
  }
  return `${url.href}?${parameters}`
}

/** An origin may be written with `*.` for any sub-domain. */
function isAllowed(target: URL, own: URL, allowed: readonly string[]): boolean {
  if (target.username || target.password) return false
  if (target.protocol === "http:" && isLoopback(target.hostname)) return true
  if (target.protocol === own.protocol && target.hostname.endsWith(`.${own.hostname}`)) return true
  return allowed.some((entry) => {
    const [scheme, host] = entry.split("://", 2)
    if (host?.startsWith("*.") !== true) return entry === target.origin
    return target.protocol === `${scheme}:` && target.host.endsWith(host.slice(1))
  })
}

function refused(provider: string): InvalidCheck {
  return new InvalidCheck({
    provider,
    expected: "a state that was sealed by a deployment which this one forwards to",
    hint: "Deployments share `secret`; name their origins in `redirectProxyOrigins`.",
  })
}
