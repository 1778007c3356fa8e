/**
 * `logout/<provider>`: with POST, the provider sends a logout token; with GET, it sends the browser back after a
 * sign-out there, or loads the URL in a frame.
 */
import { reportSecurityEvent } from "../../config/report-security-event.ts"
import { sha256Hex } from "../../crypto/digest.ts"
import { InvalidLogoutToken, UnknownAction } from "../../errors.ts"
import { findTenant } from "../../flows/oauth/id-token.ts"
import { logoutTokenLifetime, verifyLogoutToken } from "../../flows/oauth/logout-token.ts"
import { type ActionOutcome, redirectOutcome, uncachedHeaders } from "../../http/action-outcome.ts"
import type { SessionInfo } from "../../latchkey-auth.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import { endProviderSessions } from "../../sessions/records/manage-sessions.ts"
import type { Action, ProviderContext } from "../action-context.ts"
import { avoidActions } from "../resolve-callback-url.ts"
import { getLogoutCookies } from "./signout.ts"

type OidcContext = ProviderContext<ResolvedOAuthProvider>

export const logoutAction: Action = async (context, provider) => {
  if (provider?.type !== "oidc")
    throw new UnknownAction({ expected: "the id of an OpenID Connect provider" })
  const { method, query } = context.request
  const oidcContext = { ...context, provider }
  const isSentByProvider = method === "POST" || query.has("sid") || query.has("iss")
  if (!isSentByProvider) return leadBack(oidcContext)
  assertEndsSessions(oidcContext)
  return method === "POST" ? handleLogoutToken(oidcContext) : handleLogoutFrame(oidcContext)
}

/** Leads to where the sign-out wanted to go. Without its state, which any site can leave out, to the start page. */
async function leadBack(context: OidcContext): Promise<ActionOutcome> {
  const { query, origin } = context.request
  const saved = await getLogoutCookies(context).consume(query.get("state") ?? "")
  const isOwn = saved?.["provider"] === context.provider.id
  return redirectOutcome(isOwn ? avoidActions(context, String(saved["callbackUrl"])) : origin)
}

/** @throws UnknownAction unless the configuration lets the provider end sessions in this way */
function assertEndsSessions({ config, request, provider }: OidcContext): void {
  if (!config.session.records) {
    const expected = "`session.records`, by which a provider's session is found"
    throw new UnknownAction({ expected, hint: "Set `session: { records: true }`." })
  }
  if (request.method === "POST" || provider.frontChannelLogout) return
  const expected = `provider ${provider.id} to send logout tokens`
  const hint = "If it cannot, set `frontChannelLogout: true` of the provider."
  throw new UnknownAction({ expected, hint })
}

/**
 * Ends the sessions that a logout token names (OpenID Connect Back-Channel Logout 1.0). No cookie and no CSRF token is
 * needed: the token proves that the provider sent the request.
 *
 * @throws InvalidLogoutToken; AdapterError and others if a later attempt with the same token may succeed
 */
async function handleLogoutToken(context: OidcContext): Promise<ActionOutcome> {
  const { request, attempts, logger } = context
  const { id } = context.provider
  const [token, ...others] = request.form.getAll("logout_token")
  if (token === undefined || others.length > 0)
    throw new InvalidLogoutToken({ provider: id, expected: "a form with one `logout_token`" })
  const { id: tokenId, issuer, issuedAt, sid, sub } = await verifyLogoutToken(context, token)
  // Not keyed, so that a token is still known when the secret changes.
  const key = `logout ${await sha256Hex(JSON.stringify([id, issuer, tokenId]))}`
  const { count } = await attempts.count(key, logoutTokenLifetime, "logout")
  if (count > 1)
    throw new InvalidLogoutToken({ provider: id, expected: "a new `jti` in the logout token" })
  try {
    const ended = await endProviderSessions(context, { provider: id, sid, sub, issuedAt })
    await reportEnded(context, ended)
    logger.debug("provider_logout", { provider: id, sessions: ended.length })
  } catch (error) {
    await attempts.reset(key) // the provider may try again
    throw error
  }
  return { kind: "empty", status: 200 }
}

async function reportEnded(context: OidcContext, ended: readonly SessionInfo[]): Promise<void> {
  for (const { userId, id: sessionId } of ended) {
    const facts = { userId, sessionId, actor: "provider" } as const
    await reportSecurityEvent(context, "session-revoked", facts, context.request)
  }
}

/**
 * Ends the sessions of a session at the provider, in a hidden frame of its page (OpenID Connect Front-Channel Logout
 * 1.0). Browsers send no cookies with it, so records find the sessions.
 *
 * @throws InvalidLogoutToken; AdapterError and others if the sessions could not be ended
 */
async function handleLogoutFrame(context: OidcContext): Promise<ActionOutcome> {
  const { request, provider, getMetadata, logger } = context
  const { id, tenantClaim } = provider
  const [sid = "", ...others] = request.query.getAll("sid")
  if (sid === "" || sid.length > 255 || others.length > 0)
    throw new InvalidLogoutToken({ provider: id, expected: "one `sid` of at most 255 characters" })
  const server = await getMetadata(provider)
  const issuer = request.query.get("iss") ?? ""
  const isOwn = tenantClaim === undefined ? issuer === server.issuer : findTenant(issuer, server)
  const expected = "`iss` to be the issuer of the provider"
  if (!isOwn) throw new InvalidLogoutToken({ provider: id, expected })
  const ended = await endProviderSessions(context, { provider: id, sid })
  await reportEnded(context, ended)
  logger.debug("provider_logout", { provider: id, sessions: ended.length })
  const endpoints = [issuer, server.end_session_endpoint, server.authorization_endpoint]
  const origins = endpoints.flatMap((url = "") => (URL.canParse(url) ? new URL(url).origin : []))
  const ancestors = [...new Set(origins)].join(" ")
  const headers = {
    ...uncachedHeaders,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; frame-ancestors ${ancestors}`,
  }
  const html = '<!DOCTYPE html><html lang="en"><title>Signed out</title></html>'
  return { kind: "page", status: 200, html, headers }
}
