/** `GET signin` offers the ways to sign in; `POST signin/<provider>` begins one. */
import type { RateLimitedAttempt } from "../config/auth-config.ts"
import { described } from "../config/rule.ts"
import { AuthError, EmailSignInError, TooManyRequests, UnknownAction } from "../errors.ts"
import { siftGiven, siftQuery } from "../flows/oauth/parameters.ts"
import { type Exchange, textOf } from "../http/exchange.ts"
import { type Outcome, redirect, withQuery } from "../http/outcome.ts"
import { admit } from "../identity/admit.ts"
import type { PageProvider } from "../pages/pages.ts"
import type {
  ResolvedEmailProvider,
  ResolvedOAuthProvider,
  ResolvedProvider,
} from "../providers/resolved.ts"
import { assertOwnForm, csrfToken } from "./csrf-guard.ts"
import { takeReport } from "./explanation.ts"
import { allowedUrl, landingOf } from "./landing.ts"
import { asksToLink, linkRequestOf } from "./link-request.ts"
import { type Action, actionUrl, type Caller, providerOf, type Services } from "./services.ts"

export const signin: Action = async (exchange, services, caller): Promise<Outcome> => {
  const { config } = services
  const provider = providerOf(exchange, config)
  if (exchange.method === "GET") {
    if (provider) throw new UnknownAction({ expected: "a sign-in to begin with a POST request" })
    return signInPage(exchange, services)
  }
  // To add an account is to act as the person who is signed in.
  const links = asksToLink(exchange) || config.linksSilently
  await assertOwnForm(exchange, services, caller, links ? "session" : "anyone")
  const callbackUrl = await landingOf(exchange, config)
  switch (provider?.type) {
    case "oauth":
    case "oidc":
      return beginOAuth(exchange, services, caller, provider, callbackUrl)
    case "email":
      try {
        return await beginEmail(exchange, services, provider, callbackUrl)
      } catch (cause) {
        if (cause instanceof AuthError) throw cause
        throw new EmailSignInError("The link could not be made.", { provider: provider.id, cause })
      }
    default:
      return redirect(actionUrl(exchange, config, "signin"))
  }
}

async function signInPage(exchange: Exchange, services: Services): Promise<Outcome> {
  const { config, pages } = services
  const callbackUrl = await landingOf(exchange, config)
  const error = exchange.query.getAll("error").at(-1)
  const code = exchange.query.getAll("code").at(-1)
  const shown = { ...(error ? { error } : {}), ...(code ? { code } : {}) }
  if (config.pages.signIn) {
    return redirect(withQuery(config.pages.signIn, { callbackUrl, ...shown }))
  }
  const email = exchange.query.get("email") ?? undefined
  const page = await pages.signIn({
    providers: [...config.providers.values()].flatMap((provider) =>
      shownProvider(exchange, services, provider),
    ),
    csrfToken: await csrfToken(exchange, services, "anyone"),
    callbackUrl,
    ...shown,
    ...(email ? { email } : {}),
    trace: await takeReport(exchange, config),
  })
  return { kind: "page", page }
}

function shownProvider(
  exchange: Exchange,
  { config }: Services,
  provider: ResolvedProvider,
): PageProvider[] {
  const { id, name, type } = provider
  const action = actionUrl(
    exchange,
    config,
    `${type === "credentials" || type === "webauthn" ? "callback" : "signin"}/${id}`,
  )
  switch (type) {
    case "oauth":
    case "oidc": {
      const { style } = provider
      const brandColor = style?.brandColor ?? style?.bg
      const look = {
        ...(style?.logo ? { logo: style.logo } : {}),
        ...(brandColor ? { brandColor } : {}),
      }
      return [{ id, name, type, action, style: look }]
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
      const optionsUrl = actionUrl(exchange, config, `webauthn-options/${id}`)
      return [{ id, name, type, action, fields, passkey: { optionsUrl, autofill: conditionalUI } }]
    }
  }
}

async function beginOAuth(
  exchange: Exchange,
  services: Services,
  caller: Caller,
  provider: ResolvedOAuthProvider,
  callbackUrl: string,
): Promise<Outcome> {
  const { config, oauth } = services
  const configured = provider.authorization.params
  const sifted = caller.authorizationParams
    ? siftGiven(caller.authorizationParams)
    : siftQuery(withoutOwn(exchange.query), configured)
  if (sifted.dropped.length > 0) {
    config.log.warn("authorization-parameter-dropped", sifted.dropped.slice(0, 10))
  }
  const link = await linkRequestOf(exchange, services)
  const parameters = sifted.kept
  const to = await oauth.begin(exchange, provider, { callbackUrl, parameters, link })
  if (config.debug) {
    const { origin, searchParams } = new URL(to)
    const names = [...searchParams.keys()]
    config.log.debug("authorization_request", { provider: provider.id, to: origin, names })
  }
  return redirect(to)
}

/** `callbackUrl` in the query is for us. */
function withoutOwn(query: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(query)
  rest.delete("callbackUrl")
  return rest
}

async function beginEmail(
  exchange: Exchange,
  services: Services,
  provider: ResolvedEmailProvider,
  callbackUrl: string,
): Promise<Outcome> {
  const { config, email } = services
  const identifier = await email.addressFor(provider, textOf(exchange.body, "email"))
  await assertWithinRate(exchange, services, "email-request", provider.id, identifier)
  const identity = await email.identify(provider, identifier)
  const admission = await admit(identity, identity.user, true, config)
  if (admission.kind === "redirect") {
    return redirect(await allowedUrl(exchange, admission.url, config))
  }
  await email.send(exchange, provider, identifier, callbackUrl)
  config.log.debug("verification_request_sent", { provider: provider.id })
  const query = new URLSearchParams({ provider: provider.id, type: provider.type })
  return redirect(`${actionUrl(exchange, config, "verify-request")}?${query}`)
}

/**
 * Asks the application's `rateLimit`.
 *
 * @throws TooManyRequests
 */
export async function assertWithinRate(
  exchange: Exchange,
  { config }: Services,
  action: RateLimitedAttempt["action"],
  provider: string,
  identifier?: string,
): Promise<void> {
  if (!config.rateLimit) return
  const request = new Request(exchange.url, { headers: exchange.headers })
  const allowed: unknown = await config.rateLimit({
    action,
    provider,
    request,
    ...(identifier === undefined ? {} : { identifier }),
  })
  if (allowed === true) return
  const expected = "`rateLimit` to allow the attempt"
  throw new TooManyRequests({ provider, action, expected, came: described(allowed) })
}
