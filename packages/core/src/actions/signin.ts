/** `GET signin` offers the ways to sign in; `POST signin/<provider>` begins one. */
import type { RateLimitAttempt } from "../config/auth-config.ts"
import { describeValue } from "../errors/describe-value.ts"
import { AuthError, EmailSignInError, TooManyRequests, UnknownAction } from "../errors.ts"
import { filterApplicationParams, filterQueryParams } from "../flows/oauth/authorization-params.ts"
import { type ActionOutcome, appendQuery, redirectOutcome } from "../http/action-outcome.ts"
import { type ActionRequest, readTextField } from "../http/action-request.ts"
import { authorizeSignIn } from "../identity/authorize-sign-in.ts"
import type { PageProvider } from "../pages/pages.ts"
import type {
  ResolvedEmailProvider,
  ResolvedOAuthProvider,
  ResolvedProvider,
} from "../providers/resolved-provider.ts"
import { applyRedirectCallback, resolveCallbackUrl } from "./callback-url.ts"
import { ensureCsrfToken, verifyCsrfToken } from "./csrf-protection.ts"
import { consumeErrorReport } from "./error-report.ts"
import { createLinkRequest, isLinkRequested } from "./link-request.ts"
import {
  type Action,
  type CallerKind,
  getProvider,
  resolveActionUrl,
  type Services,
} from "./services.ts"

export const signInAction: Action = async (request, services, caller): Promise<ActionOutcome> => {
  const { config } = services
  const provider = getProvider(request, config)
  if (request.method === "GET") {
    if (provider) throw new UnknownAction({ expected: "a sign-in to begin with a POST request" })
    return renderSignInPage(request, services)
  }
  // To add an account is to act as the person who is signed in.
  const isLinking = isLinkRequested(request) || config.implicitLinking
  await verifyCsrfToken(request, services, caller, isLinking ? "session" : "any-session")
  const callbackUrl = await resolveCallbackUrl(request, services)
  switch (provider?.type) {
    case "oauth":
    case "oidc":
      return startOAuthSignIn(request, services, caller, provider, callbackUrl)
    case "email":
      try {
        return await startEmailSignIn(request, services, provider, callbackUrl)
      } catch (cause) {
        if (cause instanceof AuthError) throw cause
        throw new EmailSignInError("The link could not be made.", { provider: provider.id, cause })
      }
    default:
      return redirectOutcome(resolveActionUrl(request, config, "signin"))
  }
}

async function renderSignInPage(
  request: ActionRequest,
  services: Services,
): Promise<ActionOutcome> {
  const { config, pages } = services
  const callbackUrl = await resolveCallbackUrl(request, services)
  const error = request.query.getAll("error").at(-1)
  const code = request.query.getAll("code").at(-1)
  const errorParams = { ...(error ? { error } : {}), ...(code ? { code } : {}) }
  if (config.pages.signIn) {
    return redirectOutcome(appendQuery(config.pages.signIn, { callbackUrl, ...errorParams }))
  }
  const email = request.query.get("email") ?? undefined
  const page = await pages.signIn({
    providers: [...config.providers.values()].flatMap((provider) =>
      createPageProviders(request, services, provider),
    ),
    csrfToken: await ensureCsrfToken(request, services, "any-session"),
    callbackUrl,
    ...errorParams,
    ...(email ? { email } : {}),
    errorReport: await consumeErrorReport(request, services),
  })
  return { kind: "page", page }
}

function createPageProviders(
  request: ActionRequest,
  { config }: Services,
  provider: ResolvedProvider,
): PageProvider[] {
  const { id, name, type } = provider
  const action = resolveActionUrl(
    request,
    config,
    `${type === "credentials" || type === "webauthn" ? "callback" : "signin"}/${id}`,
  )
  switch (type) {
    case "oauth":
    case "oidc": {
      const { style } = provider
      const brandColor = style?.brandColor ?? style?.bg
      const pageStyle = {
        ...(style?.logo ? { logo: style.logo } : {}),
        ...(brandColor ? { brandColor } : {}),
      }
      return [{ id, name, type, action, style: pageStyle }]
    }
    case "email":
      return [{ id, name, type, action }]
    case "credentials": {
      const fields = provider.fields
      return Object.keys(fields).length === 0 ? [] : [{ id, name, type, action, fields }]
    }
    case "webauthn": {
      const { fields, conditionalUI } = provider
      if (Object.keys(fields).length === 0) return []
      const optionsUrl = resolveActionUrl(request, config, `webauthn-options/${id}`)
      return [{ id, name, type, action, fields, passkey: { optionsUrl, autofill: conditionalUI } }]
    }
  }
}

async function startOAuthSignIn(
  request: ActionRequest,
  services: Services,
  caller: CallerKind,
  provider: ResolvedOAuthProvider,
  callbackUrl: string,
): Promise<ActionOutcome> {
  const { config, logger, oauth } = services
  const configuredParams = provider.authorization.params
  const filtered = caller.authorizationParams
    ? filterApplicationParams(caller.authorizationParams)
    : filterQueryParams(removeCallbackUrl(request.query), configuredParams)
  if (filtered.dropped.length > 0) {
    logger.warn("authorization-parameter-dropped", filtered.dropped.slice(0, 10))
  }
  const link = await createLinkRequest(request, services)
  const parameters = filtered.allowed
  const to = await oauth.createAuthorizationUrl(request, provider, {
    callbackUrl,
    parameters,
    linkRequest: link,
  })
  if (config.debug) {
    const { origin, searchParams } = new URL(to)
    const names = [...searchParams.keys()]
    logger.debug("authorization_request", { provider: provider.id, to: origin, names })
  }
  return redirectOutcome(to)
}

/** `callbackUrl` in the query is for us. */
function removeCallbackUrl(query: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(query)
  rest.delete("callbackUrl")
  return rest
}

async function startEmailSignIn(
  request: ActionRequest,
  services: Services,
  provider: ResolvedEmailProvider,
  callbackUrl: string,
): Promise<ActionOutcome> {
  const { config, email, logger } = services
  const identifier = await email.normalizeIdentifier(provider, readTextField(request.body, "email"))
  await enforceRateLimit(request, services, "email-request", provider.id, identifier)
  const identity = await email.createIdentity(provider, identifier)
  const decision = await authorizeSignIn(identity, identity.user, true, config)
  if (decision.kind === "redirect") {
    return redirectOutcome(await applyRedirectCallback(request, decision.url, services))
  }
  await email.sendLink(request, provider, identifier, callbackUrl)
  logger.debug("verification_request_sent", { provider: provider.id })
  const query = new URLSearchParams({ provider: provider.id, type: provider.type })
  return redirectOutcome(`${resolveActionUrl(request, config, "verify-request")}?${query}`)
}

/**
 * Asks the application's `rateLimit`.
 *
 * @throws TooManyRequests
 */
export async function enforceRateLimit(
  request: ActionRequest,
  { config }: Services,
  action: RateLimitAttempt["action"],
  provider: string,
  identifier?: string,
): Promise<void> {
  if (!config.rateLimit) return
  const webRequest = new Request(request.url, { headers: request.headers })
  const allowed: unknown = await config.rateLimit({
    action,
    provider,
    request: webRequest,
    ...(identifier === undefined ? {} : { identifier }),
  })
  if (allowed === true) return
  const expected = "`rateLimit` to allow the attempt"
  throw new TooManyRequests({ provider, action, expected, received: describeValue(allowed) })
}
