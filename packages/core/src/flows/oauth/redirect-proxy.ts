/** Providers that accept one redirect URI: the deployment behind it forwards responses to the others. */
import { pendingSignInMaxAge } from "../../config/defaults.ts"
import { sha256Hex } from "../../crypto/digest.ts"
import { randomToken } from "../../crypto/random.ts"
import { InvalidCheck } from "../../errors.ts"
import { matchesOrigin } from "../../http/match-host.ts"
import { isLoopbackHost } from "../../http/private-hosts.ts"
import type { OAuthContext } from "./oauth-context.ts"

/**
 * Returns the redirect URI to send, which may be that of a deployment that forwards the response, and a state. A sealed
 * state says where the response belongs.
 */
export async function createRedirect(
  context: OAuthContext,
): Promise<{ redirectUri: string; state: string }> {
  const { id, redirectProxyUrl } = context.provider
  const origin = `${context.request.actionsUrl}/callback/${id}`
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
  const { config, sealer, request } = context
  const { id: provider } = context.provider
  const state = parameters.get("state") ?? ""
  // A sealed state has five parts; the state of a direct sign-in has one.
  if (!state.includes(".") || !isProxy(context)) return undefined
  const local = new URL(`${request.actionsUrl}/callback/${provider}`)
  const origin = (await sealer.open("proxied state", state))?.["origin"]
  const target = typeof origin === "string" && URL.canParse(origin) ? new URL(origin) : undefined
  if (target?.origin === local.origin) return undefined
  if (!target || !isCallback(target, provider)) {
    const expected = "a state sealed by a deployment that uses this one as its proxy"
    const hint = "Set the same `redirectProxySecret` (or, without one, the same `secret`) in both."
    throw new InvalidCheck({ provider, expected, hint, isExpired: true })
  }
  const isAllowed = isLoopbackHost(target.hostname)
    ? config.development
    : matchesOrigin(target, config.redirectProxyOrigins)
  if (isAllowed) return `${target.href}?${parameters}`
  const expected = "`redirectProxyOrigins` to list the origin that the response belongs to"
  const hint = "Only a proxy in development forwards to loopback addresses."
  throw new InvalidCheck({ provider, expected, received: target.origin, hint })
}

/** Whether this deployment forwards responses to others. */
export function isProxy({ request, provider: { redirectProxyUrl } }: OAuthContext): boolean {
  return redirectProxyUrl !== undefined && hasSameOrigin(redirectProxyUrl, request.actionsUrl)
}

/**
 * Records that a code has arrived at a proxy. Returns whether it is the first time.
 *
 * A deployment to which a code is forwarded could bring it back, with the state of a sign-in that its owner began here:
 * all deployments have one client id and one redirect URI, so the provider would exchange it.
 */
export async function recordArrival(context: OAuthContext, code: string): Promise<boolean> {
  // Some providers ignore white space and padding. The hash is not keyed, so that it survives a change of the secret.
  const text = code.replace(/[^A-Za-z0-9]/g, "")
  const key = `code ${await sha256Hex(JSON.stringify([context.provider.id, text]))}`
  // A sign-in that began before the code was issued is too old afterwards.
  return (await context.attempts.count(key, pendingSignInMaxAge, "code")).count === 1
}

function isCallback(url: URL, provider: string): boolean {
  const { pathname, username, password, search, hash } = url
  return pathname.endsWith(`/callback/${provider}`) && !(username + password + search + hash)
}
