/**
 * `logout/<provider>`: with POST, the provider sends a logout token; with GET, it sends the browser back after a
 * sign-out there, or loads the URL in a frame.
 */
import { UnknownAction } from "../../errors.ts"
import { type ActionOutcome, redirectOutcome } from "../../http/action-outcome.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { Action, ActionContext } from "../action-context.ts"
import { avoidActions } from "../resolve-callback-url.ts"
import { handleLogoutToken } from "./back-channel-logout.ts"
import { handleLogoutFrame } from "./front-channel-logout.ts"
import { getLogoutCookies } from "./provider-logout.ts"

export const logoutAction: Action = async (context, provider) => {
  if (provider?.type !== "oidc")
    throw new UnknownAction({ expected: "the id of an OpenID Connect provider" })
  const { method, query } = context.request
  const isFrame = query.has("sid") || query.has("iss")
  if (method === "GET" && !isFrame) return leadBack(context, provider)
  assertEndsSessions(context, isFrame, provider)
  return method === "POST"
    ? handleLogoutToken(context, provider)
    : handleLogoutFrame(context, provider)
}

/** Leads to where the sign-out wanted to go. Without its state, which any site can leave out, to the start page. */
async function leadBack(
  context: ActionContext,
  provider: ResolvedOAuthProvider,
): Promise<ActionOutcome> {
  const { query, origin } = context.request
  const saved = await getLogoutCookies(context).consume(query.get("state") ?? "")
  const isOwn = saved?.["provider"] === provider.id
  return redirectOutcome(isOwn ? avoidActions(context, String(saved["callbackUrl"])) : origin)
}

/** @throws UnknownAction unless the configuration lets the provider end sessions in this way */
function assertEndsSessions(
  { config, request: { method } }: ActionContext,
  isFrame: boolean,
  { id, frontChannelLogout }: ResolvedOAuthProvider,
): void {
  if (!config.session.records) {
    const expected = "`session.records`, by which a provider's session is found"
    throw new UnknownAction({ expected, hint: "Set `session: { records: true }`." })
  }
  if (method === "POST" || !isFrame || frontChannelLogout) return
  const expected = `provider ${id} to send logout tokens`
  const hint = "If it cannot, set `frontChannelLogout: true` of the provider."
  throw new UnknownAction({ expected, hint })
}
