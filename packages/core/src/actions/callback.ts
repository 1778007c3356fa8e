/** `callback/<provider>`: completes a sign-in with the provider's response, the e-mail link or the form. */
import {
  AuthError,
  CallbackRouteError,
  InvalidCheck,
  InvalidProvider,
  isClientError,
} from "../errors.ts"
import { completeCredentialsFlow } from "../flows/credentials.ts"
import { completeEmailFlow, isGuessable, isLinkOfBrowser } from "../flows/email.ts"
import type { CompletedFlow, FlowResult } from "../flows/flow-result.ts"
import { completeOAuthFlow } from "../flows/oauth/callback.ts"
import { completeWebAuthnFlow } from "../flows/webauthn/webauthn.ts"
import { type ActionOutcome, redirectOutcome } from "../http/action-outcome.ts"
import { describeShape } from "../http/error-report.ts"
import { authorizeSignIn } from "../identity/authorize-sign-in.ts"
import { describeDecision } from "../identity/linking-decision.ts"
import { findUser, signInUser } from "../identity/sign-in-user.ts"
import { omitUndefined } from "../objects.ts"
import type { ProvenIdentity } from "../proven-identity.ts"
import type {
  ResolvedEmailProvider,
  ResolvedOAuthProvider,
  ResolvedProvider,
} from "../providers/resolved-provider.ts"
import type { Action, ActionContext } from "./action-context.ts"
import { enforceAttemptLimits, enforceRateLimit, resetAttempts } from "./attempt-limits.ts"
import { ensureCsrfToken, verifyCsrfToken, verifySameOrigin } from "./csrf.ts"
import { readIdentifier } from "./identifier.ts"
import { rememberProvider } from "./last-provider.ts"
import { findLinkUser } from "./link-request.ts"
import { forgetRequestedLink } from "./requested-link.ts"
import {
  applyRedirectCallback,
  resolveCallbackUrl,
  resolveDestination,
} from "./resolve-callback-url.ts"
import { isSignedIn } from "./session.ts"
import { getUserLabel, readShownSession } from "./shown-session.ts"

export const callbackAction: Action = async (context, provider) => {
  if (!provider) throw new InvalidProvider({ expected: "a callback URL with the id of a provider" })
  try {
    const earlyOutcome =
      provider.type === "email" && (await checkEmailLinkRequest(context, provider))
    if (earlyOutcome) return earlyOutcome
    const flowResult = await completeFlow(context, provider)
    if (flowResult.kind === "forward")
      return { kind: "redirect", to: flowResult.url, status: flowResult.status }
    context.logger.debug("identity_proven", { provider: provider.id, type: provider.type })
    return await completeSignIn(context, provider, flowResult)
  } catch (cause) {
    if (cause instanceof InvalidCheck && cause.isExpired && (await isSignedIn(context))) {
      // The visitor went back, or opened the response again. The session stays as it is.
      context.logger.debug("expired_sign_in_ignored", { provider: provider.id })
      return redirectOutcome(await resolveDestination(context))
    }
    if (cause instanceof AuthError) throw cause
    throw new CallbackRouteError("The callback failed.", { provider: provider.id, cause })
  }
}

/**
 * Answers requests that must not consume an e-mail link: prefetches and embedded content, and opening the link in a
 * browser that did not request it, which mail scanners and other sites do. There, a page asks for confirmation.
 */
async function checkEmailLinkRequest(
  context: ActionContext,
  provider: ResolvedEmailProvider,
): Promise<ActionOutcome | undefined> {
  const { request, renderPage } = context
  const { headers, query, origin } = request
  const purposes = ["sec-purpose", "purpose", "x-moz", "x-purpose"].map((name) => headers.get(name))
  if (purposes.some((value) => /prefetch|prerender|preview/i.test(value ?? "")))
    return { kind: "empty", status: 503 }
  // An image or frame on another page would sign visitors in as whoever requested the link.
  const destination = headers.get("sec-fetch-dest")
  if (destination !== null && destination !== "document") return { kind: "empty", status: 400 }
  if (request.method !== "GET") return undefined
  // The response reveals whether a short token is right, so opening the link counts as a guess.
  if (hasGuessableToken(request)) await verifyFormRequest(context, provider)
  const isOwn = await isLinkOfBrowser({ ...context, provider })
  // Another browser cannot use a short token, even if its user confirms it.
  if (isOwn ? !provider.confirm : hasGuessableToken(request)) return undefined
  return renderPage(
    {
      page: "confirm",
      action: `${request.actionsUrl}/callback/${provider.id}?${query}`,
      csrfToken: await ensureCsrfToken(context, "any-session"),
      email: query.get("email") ?? "",
      user: getUserLabel(await readShownSession(context)),
      homeUrl: origin,
    },
    request,
  )
}

async function completeFlow(
  context: ActionContext,
  provider: ResolvedProvider,
): Promise<FlowResult> {
  switch (provider.type) {
    case "oauth":
    case "oidc":
      return completeOAuthFlow({ ...context, provider })
    case "email":
      // A short token that a browser opened was counted before.
      if (context.request.method === "POST" || !hasGuessableToken(context.request))
        await verifyFormRequest(context, provider)
      return completeEmailFlow({ ...context, provider })
    default:
      await verifyFormRequest(context, provider)
      if (provider.type === "credentials") return completeCredentialsFlow(context.request, provider)
      return completeWebAuthnFlow({ ...context, provider })
  }
}

/** Attempts to guess a long token do not count against the account: nobody can keep its owner from opening a link. */
const hasGuessableToken = ({ query }: ActionContext["request"]) =>
  isGuessable(query.get("token") ?? "")

type FormProvider = Exclude<ResolvedProvider, ResolvedOAuthProvider>

/** Checks the method, the origin and the rate of requests that no authorization server redirected. */
async function verifyFormRequest(context: ActionContext, provider: FormProvider): Promise<void> {
  const { id, type } = provider
  const isPost = context.request.method === "POST"
  if (!isPost && type !== "email")
    throw new InvalidProvider({ provider: id, expected: "a POST request to the callback" })
  if (type === "webauthn") await verifySameOrigin(context)
  else if (isPost) await verifyCsrfToken(context, "any-session")
  const identifier = readIdentifier(context.request, provider)
  if (type === "credentials") await enforceAttemptLimits(context, "credentials", identifier)
  else if (type === "email") {
    await enforceAttemptLimits(
      context,
      "email-link",
      identifier,
      hasGuessableToken(context.request),
    )
  }
  await enforceRateLimit(context, type === "email" ? "email-link" : type, id, identifier?.trim())
}

/** Signs a user in, whichever flow proved their identity. */
async function completeSignIn(
  context: ActionContext,
  provider: ResolvedProvider,
  flowResult: CompletedFlow,
): Promise<ActionOutcome> {
  const { request, config, logger, sessions, emitEvent } = context
  const { reportRecorder } = request
  const { identity, linkRequest } = flowResult
  request.isLinking = linkRequest !== undefined
  reportRecorder?.record("Identity", describeIdentity(identity), true)
  try {
    const linkUser = await findLinkUser(context, flowResult)
    const allowEmailLinking = "allowEmailLinking" in provider && provider.allowEmailLinking
    const foundUser = await findUser(identity, linkUser, allowEmailLinking, context)
    const { decision } = foundUser
    reportRecorder?.record("User", describeDecision(decision), decision?.kind !== "refuse")
    const redirectUrl = await authorizeSignIn(identity, foundUser.user, false, config)
    reportRecorder?.record("`signIn` callback", redirectUrl ? "redirect" : "allowed", true)
    if (redirectUrl) return redirectOutcome(await applyRedirectCallback(context, redirectUrl))
    // The callback may have stored the user or linked the account itself.
    const finalUser = config.customCallbacks.has("signIn")
      ? await findUser(identity, linkUser, allowEmailLinking, context)
      : foundUser
    // Before the old session ends, because the `redirect` callback may hang.
    const callbackUrl = await resolveCallbackUrl(context)
    const signInResult = await signInUser(identity, finalUser, context)
    await sessions.startSession(request, signInResult)
    forgetRequestedLink(request)
    if (!linkUser) rememberProvider(context, provider)
    await resetAttempts(context, provider)
    const { user, account, profile } = signInResult
    logger.debug("session_started", { provider: provider.id, user: user.id })
    const isNewUser = account.type === "credentials" ? undefined : signInResult.isNewUser
    await emitEvent("signIn", omitUndefined({ user, account, profile, isNewUser }))
    const { newUser } = config.pages
    if (signInResult.isNewUser && newUser) return redirectOutcome(newUser, { callbackUrl })
    return redirectOutcome(callbackUrl)
  } catch (error) {
    if (!isRefusal(error))
      await flowResult.restoreToken?.().catch((restoreError) => logger.error(restoreError))
    throw error
  }
}

/** Describes an identity for the error report. */
function describeIdentity(identity: ProvenIdentity): string {
  const { account, profile, user, emailVerification } = identity
  const { provider, type, providerAccountId } = account
  const facts = [
    `an account of ${provider} (${type}) with an id of ${describeShape(providerAccountId)}`,
    user.email ? `the address ${user.email} (${emailVerification})` : "no address",
    ...(profile ? [`a profile with ${Object.keys(profile).join(", ")}`] : []),
  ]
  return facts.join(", ")
}

/** Whether the visitor was refused, as opposed to a failure of the server or of a callback. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && isClientError(error) && error.cause?.err === undefined
}
