/** `GET signin` shows the sign-in page; `POST signin/<provider>` starts a sign-in. */
import { getCustomPage } from "../config/custom-pages.ts"
import { AuthError, EmailSignInError, UnknownAction } from "../errors.ts"
import { createEmailIdentity, normalizeIdentifier, sendEmailLink } from "../flows/email.ts"
import { filterParams } from "../flows/oauth/authorization-params.ts"
import { createAuthorizationUrl } from "../flows/oauth/authorization-url.ts"
import { type ActionOutcome, redirectOutcome } from "../http/action-outcome.ts"
import { readTextField } from "../http/request-body.ts"
import { authorizeSignIn } from "../identity/authorize-sign-in.ts"
import { omitUndefined } from "../objects.ts"
import type { PageProvider } from "../pages/provider-form.ts"
import { renderSignInPage } from "../pages/sign-in-page.ts"
import type {
  ResolvedEmailProvider,
  ResolvedOAuthProvider,
  ResolvedProvider,
} from "../providers/resolved-provider.ts"
import type { AuthAction } from "../types.ts"
import type { Action, ActionContext } from "./action-context.ts"
import { enforceAttemptLimits, enforceRateLimit } from "./attempt-limits.ts"
import { ensureCsrfToken, verifyCsrfToken } from "./csrf.ts"
import { createLinkRequest, isLinkRequested } from "./link-request.ts"
import { applyRedirectCallback, resolveCallbackUrl } from "./resolve-callback-url.ts"

export const signInAction: Action = async (context, provider) => {
  const { request, config } = context
  if (request.method === "GET") {
    if (!provider) return showSignInPage(context)
    throw new UnknownAction({ expected: "a sign-in to start with a POST request" })
  }
  // Linking an account acts on behalf of the signed-in user.
  const scope = isLinkRequested(request) || config.implicitLinking ? "session" : "any-session"
  await verifyCsrfToken(context, scope)
  const callbackUrl = await resolveCallbackUrl(context)
  switch (provider?.type) {
    case "oauth":
    case "oidc":
      return startOAuthSignIn(context, provider, callbackUrl)
    case "email":
      try {
        return await startEmailSignIn(context, provider, callbackUrl)
      } catch (cause) {
        if (cause instanceof AuthError) throw cause
        throw new EmailSignInError("The link was not created.", { provider: provider.id, cause })
      }
    default:
      return redirectOutcome(`${request.actionsUrl}/signin`)
  }
}

async function showSignInPage(context: ActionContext): Promise<ActionOutcome> {
  const { request, config, renderPage } = context
  const { query } = request
  const callbackUrl = await resolveCallbackUrl(context)
  const [error, code] = ["error", "code"].map((name) => query.getAll(name).at(-1) || undefined)
  const errorParams = omitUndefined({ error, code })
  const customPage = getCustomPage("signIn", config, request.origin)
  if (customPage) return redirectOutcome(customPage, { callbackUrl, ...errorParams })
  // Production never loads the module.
  const reports = config.development ? await import("./error-report.ts") : undefined
  const content = renderSignInPage({
    providers: [...config.providers.values()].flatMap((provider) =>
      createPageProviders(request.actionsUrl, provider),
    ),
    csrfToken: await ensureCsrfToken(context, "any-session"),
    callbackUrl,
    ...errorParams,
    email: query.get("email") || undefined,
    errorReport: (await reports?.renderSavedReport(context)) ?? reports?.renderConfigReport(config),
  })
  return renderPage(content)
}

/** Returns the entry of a provider on the sign-in page. Providers without fields have no form there. */
function createPageProviders(actionsUrl: string, provider: ResolvedProvider): PageProvider[] {
  const { id, name, type } = provider
  const getUrl = (action: AuthAction) => `${actionsUrl}/${action}/${id}`
  if (provider.type === "credentials" || provider.type === "webauthn") {
    const { fields } = provider
    if (Object.keys(fields).length === 0) return []
    const form = { id, name, type, action: getUrl("callback"), fields }
    if (provider.type === "credentials") return [form]
    const passkey = { optionsUrl: getUrl("webauthn-options"), autofill: provider.conditionalUI }
    return [{ ...form, passkey }]
  }
  const pageProvider = { id, name, type, action: getUrl("signin") }
  if (provider.type === "email") return [pageProvider]
  const { logo, brandColor, bg } = provider.style ?? {}
  return [{ ...pageProvider, style: { logo, brandColor: brandColor ?? bg } }]
}

async function startOAuthSignIn(
  context: ActionContext,
  provider: ResolvedOAuthProvider,
  callbackUrl: string,
): Promise<ActionOutcome> {
  const { request, authorizationParams = new URLSearchParams(), logger } = context
  const query = new URLSearchParams(request.query)
  query.delete("callbackUrl")
  const sent = filterParams(query, provider.authorization)
  const own = filterParams(authorizationParams, undefined)
  const parameters = { ...sent.allowed, ...own.allowed }
  const dropped = [...sent.dropped, ...own.dropped]
  if (dropped.length > 0) logger.warn("authorization-parameter-dropped", dropped.slice(0, 10))
  const linkRequest = await createLinkRequest(context)
  const oauthContext = { ...context, provider }
  const url = await createAuthorizationUrl(oauthContext, parameters, callbackUrl, linkRequest)
  if (logger.isDebugEnabled) {
    const { origin, searchParams } = new URL(url)
    const names = [...searchParams.keys()]
    logger.debug("authorization_request", { provider: provider.id, to: origin, names })
  }
  return redirectOutcome(url)
}

async function startEmailSignIn(
  context: ActionContext,
  provider: ResolvedEmailProvider,
  callbackUrl: string,
): Promise<ActionOutcome> {
  const { request, config, logger } = context
  const { id, type } = provider
  const identifier = await normalizeIdentifier(provider, readTextField(request.body, "email"))
  await enforceAttemptLimits(context, "email-request", identifier)
  await enforceRateLimit(context, "email-request", id, identifier)
  const emailContext = { ...context, provider }
  const identity = await createEmailIdentity(emailContext, identifier)
  const redirectUrl = await authorizeSignIn(identity, identity.user, true, config)
  if (redirectUrl) return redirectOutcome(await applyRedirectCallback(context, redirectUrl))
  await sendEmailLink(emailContext, identifier, callbackUrl)
  logger.debug("verification_request_sent", { provider: id })
  return redirectOutcome(`${request.actionsUrl}/verify-request`, { provider: id, type })
}
