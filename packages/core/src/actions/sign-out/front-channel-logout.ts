/**
 * `GET logout/<provider>` with `iss` and `sid`, in a hidden frame of the provider's page: ends the sessions of a session
 * there (OpenID Connect Front-Channel Logout 1.0). Browsers send no cookies with it, so records find the sessions.
 */
import { InvalidLogoutToken } from "../../errors.ts"
import { findTenant } from "../../flows/oauth/tenant-issuer.ts"
import type { ActionOutcome } from "../../http/action-outcome.ts"
import { uncachedHeaders } from "../../http/plain-response.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import { endProviderSessions } from "../../sessions/records/provider-sessions.ts"
import type { ActionContext } from "../action-context.ts"

/** @throws InvalidLogoutToken; AdapterError and others if the sessions could not be ended */
export async function handleLogoutFrame(
  context: ActionContext,
  provider: ResolvedOAuthProvider,
): Promise<ActionOutcome> {
  const { request, getMetadata, logger } = context
  const { id, tenantClaim } = provider
  const [sid = "", ...others] = request.query.getAll("sid")
  if (sid === "" || sid.length > 255 || others.length > 0)
    throw new InvalidLogoutToken({ provider: id, expected: "one `sid` of at most 255 characters" })
  const server = await getMetadata(provider)
  const issuer = request.query.get("iss") ?? ""
  const isOwn = tenantClaim === undefined ? issuer === server.issuer : findTenant(issuer, server)
  if (!isOwn)
    throw new InvalidLogoutToken({
      provider: id,
      expected: "`iss` to be the issuer of the provider",
    })
  const ended = await endProviderSessions(context, { provider: id, sid })
  logger.debug("provider_logout", { provider: id, sessions: ended.length })
  const endpoints = [issuer, server.end_session_endpoint, server.authorization_endpoint]
  const origins = endpoints.flatMap((url) =>
    url && URL.canParse(url) ? [new URL(url).origin] : [],
  )
  const ancestors = [...new Set(origins)].join(" ")
  const headers = {
    ...uncachedHeaders,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; frame-ancestors ${ancestors}`,
  }
  const html = '<!DOCTYPE html><html lang="en"><title>Signed out</title></html>'
  return { kind: "page", status: 200, html, headers }
}
