/** Starts a sign-in with an OAuth 2 or OpenID Connect provider. */
import {
  createAuthorizationUrl,
  filterParams,
  readRequestedAuthentication,
} from "../../flows/oauth/authorization-url.ts"
import { type ActionOutcome, redirectOutcome } from "../../http/action-outcome.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { ProviderContext } from "../action-context.ts"
import { createLinkRequest, removeLinkingError } from "./link-request.ts"
import { readRememberMe, resolveFlow } from "./sign-in-request.ts"

/** Redirects to the provider. */
export async function startOAuthSignIn(
  context: ProviderContext<ResolvedOAuthProvider>,
  callbackUrl: string,
): Promise<ActionOutcome> {
  const { request, provider, authorizationParams = [], logger } = context
  const query = [...request.query].filter(([name]) => name !== "callbackUrl")
  const sent = filterParams(query, provider.authorization)
  const own = filterParams([...authorizationParams], undefined)
  const parameters = { ...sent.allowed, ...own.allowed }
  const dropped = [...sent.dropped, ...own.dropped]
  if (dropped.length > 0) logger.warn("authorization-parameter-dropped", dropped.slice(0, 10))
  const authentication = readRequestedAuthentication(provider, own.allowed, sent.allowed)
  const linkRequest = await createLinkRequest(context)
  const flow = await resolveFlow(context)
  const rememberMe = readRememberMe(context)
  request.continueSignIn({ flow, rememberMe, isLinking: linkRequest !== undefined })
  const url = await createAuthorizationUrl(context, parameters, {
    callbackUrl: linkRequest ? removeLinkingError(callbackUrl) : callbackUrl,
    linkRequest,
    flow,
    rememberMe,
    authentication,
  })
  logger.debug("authorization_request", { provider: provider.id })
  return redirectOutcome(url)
}
