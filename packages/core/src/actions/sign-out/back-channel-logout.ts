/** `POST logout/<provider>`: ends the sessions that a logout token names (OpenID Connect Back-Channel Logout 1.0). */
import { sha256Hex } from "../../crypto/digest.ts"
import { InvalidLogoutToken } from "../../errors.ts"
import { logoutTokenLifetime, verifyLogoutToken } from "../../flows/oauth/logout-token.ts"
import type { ActionOutcome } from "../../http/action-outcome.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import { endProviderSessions } from "../../sessions/records/provider-sessions.ts"
import type { ActionContext } from "../action-context.ts"

/**
 * Ends sessions. No cookie and no CSRF token is needed: the token proves that the provider sent the request.
 *
 * @throws InvalidLogoutToken; AdapterError and others if a later attempt with the same token may succeed
 */
export async function handleLogoutToken(
  context: ActionContext,
  provider: ResolvedOAuthProvider,
): Promise<ActionOutcome> {
  const { request, attempts, logger } = context
  const [token, ...others] = request.form.getAll("logout_token")
  if (token === undefined || others.length > 0)
    throw new InvalidLogoutToken({
      provider: provider.id,
      expected: "a form with one `logout_token`",
    })
  const { id, issuer, sid, sub } = await verifyLogoutToken({ ...context, provider }, token)
  // Not keyed, so that a token is still known when the secret changes.
  const key = `logout ${await sha256Hex(JSON.stringify([provider.id, issuer, id]))}`
  const { count } = await attempts.count(key, logoutTokenLifetime, "logout")
  if (count > 1)
    throw new InvalidLogoutToken({
      provider: provider.id,
      expected: "a new `jti` in the logout token",
    })
  try {
    const ended = await endProviderSessions(context, { provider: provider.id, sid, sub })
    logger.debug("provider_logout", { provider: provider.id, sessions: ended.length })
  } catch (error) {
    await attempts.reset(key) // the provider may try again
    throw error
  }
  return { kind: "empty", status: 200 }
}
