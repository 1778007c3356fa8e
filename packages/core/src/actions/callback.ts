/** The provider, the e-mail link or the form came back: prove, admit, resolve, start, go on. */
import { AuthError, CallbackRouteError, InvalidProvider, isClientError } from "../errors.ts"
import { completeCredentialsFlow } from "../flows/credentials.ts"
import type { FlowResult } from "../flows/flow-result.ts"
import { type ActionOutcome, appendQuery, redirectOutcome } from "../http/action-outcome.ts"
import { type ActionRequest, readTextField } from "../http/action-request.ts"
import { authorizeSignIn } from "../identity/authorize-sign-in.ts"
import { findUser, signInUser } from "../identity/sign-in-user.ts"
import type { SignInResult } from "../proven-identity.ts"
import type {
  ResolvedCredentialsProvider,
  ResolvedEmailProvider,
  ResolvedProvider,
} from "../providers/resolved-provider.ts"
import { applyRedirectCallback, resolveCallbackUrl } from "./callback-url.ts"
import { ensureCsrfToken, verifyCsrfToken, verifySameOrigin } from "./csrf-protection.ts"
import { findLinkUser } from "./link-request.ts"
import { recordFoundUser, recordIdentity } from "./report-steps.ts"
import {
  type Action,
  type CallerKind,
  getProvider,
  resolveActionUrl,
  type Services,
} from "./services.ts"
import { enforceRateLimit } from "./signin.ts"

export const callbackAction: Action = async (request, services, caller): Promise<ActionOutcome> => {
  const provider = getProvider(request, services.config)
  if (!provider) throw new InvalidProvider({ expected: "a callback URL with the id of a provider" })
  const earlyOutcome =
    provider.type === "email" && (await checkEmailLinkRequest(request, services, provider))
  if (earlyOutcome) return earlyOutcome
  try {
    const flowResult = await completeFlow(request, services, caller, provider)
    if (flowResult.kind === "forward") return redirectOutcome(flowResult.url) // another deployment's answer
    services.logger.debug("identity_proven", { provider: provider.id, type: provider.type })
    return await completeSignIn(request, services, provider, flowResult)
  } catch (cause) {
    if (cause instanceof AuthError) throw cause
    throw new CallbackRouteError("The callback failed.", { provider: provider.id, cause })
  }
}

async function completeFlow(
  request: ActionRequest,
  services: Services,
  caller: CallerKind,
  provider: ResolvedProvider,
): Promise<FlowResult> {
  switch (provider.type) {
    case "oauth":
    case "oidc":
      return services.oauth.completeFlow(request, provider)
    case "email":
      if (request.method === "POST") await verifyCsrfToken(request, services, caller, "any-session")
      await enforceRateLimit(request, services, "email-link", provider.id, readLinkEmail(request))
      return services.email.completeFlow(request, provider)
    case "credentials":
      if (request.method !== "POST") throw createUnsupportedCallbackError(provider)
      await verifyCsrfToken(request, services, caller, "any-session")
      await enforceRateLimit(
        request,
        services,
        "credentials",
        provider.id,
        readUsername(request, provider),
      )
      return completeCredentialsFlow(request, provider)
    case "webauthn":
      if (request.method !== "POST") throw createUnsupportedCallbackError(provider)
      await verifySameOrigin(request, services, caller)
      await enforceRateLimit(request, services, "webauthn", provider.id)
      return services.webauthn.completeFlow(request, provider)
  }
}

/** The address in a link: what a stranger wrote there, up to the length of an address. */
function readLinkEmail({ query }: ActionRequest): string | undefined {
  return query.get("email")?.slice(0, 320) || undefined
}

/** Who somebody says they are: what was typed into the first field that is no password. */
function readUsername(
  { body }: ActionRequest,
  { fields }: ResolvedCredentialsProvider,
): string | undefined {
  const usernameField = Object.entries(fields).find(([, { type }]) => type !== "password")
  return (usernameField && readTextField(body, usernameField[0])?.slice(0, 320)) || undefined
}

function createUnsupportedCallbackError({ id }: ResolvedProvider): InvalidProvider {
  return new InvalidProvider({ provider: id, expected: "a callback that the provider has" })
}

/** Nothing but a person uses a link up: not a prefetch, and with `confirm` not a mail scanner either. */
async function checkEmailLinkRequest(
  request: ActionRequest,
  services: Services,
  provider: ResolvedEmailProvider,
): Promise<ActionOutcome | undefined> {
  const { headers, query, origin } = request
  const purposeHeaders = ["sec-purpose", "purpose", "x-moz", "x-purpose"].map((name) =>
    headers.get(name),
  )
  if (purposeHeaders.some((value) => /prefetch|prerender|preview/i.test(value ?? ""))) {
    return { kind: "empty", status: 503 }
  }
  // An image or frame in somebody's page is no click: it would sign people in as whoever asked for the link.
  const destination = headers.get("sec-fetch-dest")
  if (destination !== null && destination !== "document") return { kind: "empty", status: 400 }
  if (!provider.confirm || request.method !== "GET") return undefined
  const token = await ensureCsrfToken(request, services, "any-session")
  const page = await services.pages.confirm({
    action: `${resolveActionUrl(request, services.config, `callback/${provider.id}`)}?${query}`,
    ...(token === undefined ? {} : { csrfToken: token }),
    email: query.get("email") ?? "",
    homeUrl: origin,
  })
  return { kind: "page", page }
}

type CompletedFlow = Extract<FlowResult, { kind: "completed" }>

/** The one way in, whatever the proof was. */
async function completeSignIn(
  request: ActionRequest,
  services: Services,
  provider: ResolvedProvider,
  flowResult: CompletedFlow,
): Promise<ActionOutcome> {
  const { config, logger, sessions } = services
  const { identity } = flowResult
  const { reportRecorder } = request
  recordIdentity(reportRecorder, identity)
  try {
    const linkFor = await findLinkUser(request, services, flowResult.linkRequest, provider.type)
    const allowEmailLinking = "allowEmailLinking" in provider && provider.allowEmailLinking
    const resolution = await findUser(identity, linkFor, allowEmailLinking, services)
    recordFoundUser(reportRecorder, resolution)
    const decision = await authorizeSignIn(identity, resolution.user, false, config)
    reportRecorder?.record("`signIn` callback", decision.kind, true)
    if (decision.kind === "redirect") {
      return redirectOutcome(await applyRedirectCallback(request, decision.url, services))
    }
    // The callback may have stored the person, or linked the account, itself.
    const finalResolution = config.customCallbacks.has("signIn")
      ? await findUser(identity, linkFor, allowEmailLinking, services)
      : resolution
    const signInResult = await signInUser(identity, finalResolution, services)
    await sessions.startSession(request, signInResult)
    logger.debug("session_started", { provider: provider.id, user: signInResult.user.id })
    await emitSignIn(signInResult, services)
    return redirectOutcome(await resolveDestination(request, services, flowResult, signInResult))
  } catch (error) {
    if (isServerFault(error))
      await flowResult.restoreToken?.().catch((restoreError) => logger.error(restoreError))
    throw error
  }
}

/** Whether something broke, as opposed to somebody being refused. */
function isServerFault(error: unknown): boolean {
  // A `signIn` callback that throws denies access, and says what broke.
  return !(error instanceof Error && isClientError(error) && error.cause?.err === undefined)
}

async function emitSignIn(signInResult: SignInResult, { emitEvent }: Services): Promise<void> {
  const { user, account, profile, isNewUser } = signInResult
  const isCredentials = account.type === "credentials"
  await emitEvent("signIn", {
    user,
    account,
    ...(profile ? { profile } : {}),
    ...(isCredentials || isNewUser === undefined ? {} : { isNewUser }),
  })
}

async function resolveDestination(
  request: ActionRequest,
  services: Services,
  flowResult: CompletedFlow,
  signInResult: SignInResult,
): Promise<string> {
  const { config } = services
  const { type } = signInResult.account
  // A link may have been edited; what a transaction holds was checked before it was sealed.
  const callbackUrl =
    flowResult.callbackUrl === undefined || type === "email"
      ? await resolveCallbackUrl(request, services)
      : flowResult.callbackUrl
  if (!signInResult.isNewUser || !config.pages.newUser) return callbackUrl
  return appendQuery(config.pages.newUser, { callbackUrl })
}
