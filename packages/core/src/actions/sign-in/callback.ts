/** `callback/<provider>`: completes a sign-in with the provider's response, the e-mail link or the form. */
import { describeShape } from "../../errors/describe-value.ts"
import {
  AccessDenied,
  AuthError,
  CallbackRouteError,
  InvalidCheck,
  InvalidProvider,
  isClientError,
} from "../../errors.ts"
import { completeCredentialsFlow } from "../../flows/credentials.ts"
import type { CompletedFlow, FlowResult } from "../../flows/flow.ts"
import { type ActionOutcome, redirectOutcome } from "../../http/action-outcome.ts"
import { describeDecision } from "../../identity/linking-decision.ts"
import { authorizeSignIn, findUser, signInUser } from "../../identity/sign-in-user.ts"
import { loadOnFirstCall } from "../../load-on-first-call.ts"
import type { ProvenIdentity, SignInSnapshot } from "../../proven-identity.ts"
import type {
  ResolvedCredentialsProvider,
  ResolvedProvider,
  ResolvedWebAuthnProvider,
} from "../../providers/resolved-provider.ts"
import { newRecords } from "../../sessions/lazy-records.ts"
import type { Action, ActionContext, ProviderContext } from "../action-context.ts"
import { verifyAndLimitFormRequest } from "../limits/enforce-limits.ts"
import {
  applyRedirectCallback,
  resolveCallbackUrl,
  resolveDestination,
} from "../resolve-callback-url.ts"
import { isSignedIn } from "../session.ts"
import { finishSignIn } from "./finish-sign-in.ts"
import { findLinkUser } from "./link-request.ts"
import { readRememberMe, resolveFlow } from "./sign-in-request.ts"

const oauthFlow = loadOnFirstCall(() => import("../../flows/oauth/callback.ts"))
const passkeyFlow = loadOnFirstCall(() => import("../../flows/passkeys/webauthn.ts"))
const passkeyDetails = loadOnFirstCall(() => import("../../flows/passkeys/passkey-details.ts"))
const emailFlow = loadOnFirstCall(() => import("../email/email-sign-in.ts"))
const secondFactor = loadOnFirstCall(() => import("../second-factor/continue-sign-in.ts"))

export const callbackAction: Action = async (context, provider) => {
  if (!provider) throw new InvalidProvider({ expected: "a callback URL with the id of a provider" })
  try {
    const snapshot = context.config.session.records
      ? await newRecords.takeSignInSnapshot(context)
      : undefined
    const flowResult = await completeFlow(context, provider)
    if (flowResult.kind === "response") return flowResult.outcome
    if (flowResult.signIn) context.request.continueSignIn(flowResult.signIn)
    if (flowResult.kind === "failed") throw flowResult.error
    context.logger.debug("identity_proven", { provider: provider.id, type: provider.type })
    return await completeSignIn(context, provider, flowResult, snapshot)
  } catch (cause) {
    if (cause instanceof InvalidCheck && cause.isExpired && (await isSignedIn(context))) {
      // The visitor went back, or wanted to link an account. The session stays as it is.
      const description = context.logger.describe(cause)
      context.logger.warn("sign-in-response-ignored", `${description} ${ignoredResponseHint}`)
      return redirectOutcome(await resolveDestination(context))
    }
    if (cause instanceof AuthError) throw cause
    throw new CallbackRouteError(
      { summary: "The callback failed." },
      { provider: provider.id, cause },
    )
  }
}

const ignoredResponseHint =
  "The visitor stays signed in. If the sign-in was to link an account, request the link again."

async function completeFlow(
  context: ActionContext,
  provider: ResolvedProvider,
): Promise<FlowResult> {
  switch (provider.type) {
    case "oauth":
    case "oidc":
      return oauthFlow.completeOAuthFlow({ ...context, provider })
    case "email":
      return emailFlow.completeEmailCallback({ ...context, provider })
    default:
      return completeFormFlow({ ...context, provider })
  }
}

/** Completes a sign-in whose form was sent to the callback: it begins and ends with this request. */
async function completeFormFlow(
  context: ProviderContext<ResolvedCredentialsProvider | ResolvedWebAuthnProvider>,
): Promise<FlowResult> {
  const { request, provider } = context
  const attemptKeys = await verifyAndLimitFormRequest(context)
  const flow = await resolveFlow(context)
  const signIn = { flow, rememberMe: readRememberMe(context) }
  // Before the flow: `authorize` sees the data, too.
  request.continueSignIn(signIn)
  const result =
    provider.type === "credentials"
      ? await completeCredentialsFlow(request, provider, context.config.secondFactor !== undefined)
      : await passkeyFlow.completeWebAuthnFlow({ ...context, provider })
  return { ...result, attemptKeys, signIn: { ...signIn, isLinking: Boolean(result.linkRequest) } }
}

/** Signs a user in, whichever flow proved their identity. */
async function completeSignIn(
  context: ActionContext,
  provider: ResolvedProvider,
  flowResult: CompletedFlow,
  snapshot: SignInSnapshot | undefined,
): Promise<ActionOutcome> {
  const { request, config, logger } = context
  const { reportRecorder } = request
  const { identity, signIn, attemptKeys = [] } = flowResult
  reportRecorder?.record("Identity", describeIdentity(identity), true)
  try {
    const linkUser = await findLinkUser(context, flowResult)
    const allowEmailLinking = "allowEmailLinking" in provider && provider.allowEmailLinking
    const find = () => findUser(identity, linkUser, allowEmailLinking, context)
    const foundUser = await find()
    const { decision } = foundUser
    reportRecorder?.record("User", describeDecision(decision), decision?.kind !== "refuse")
    const redirectUrl = await authorizeSignIn(identity, foundUser.user, false, context)
    reportRecorder?.record("`signIn` callback", redirectUrl ? "redirect" : "allowed", true)
    if (redirectUrl) return redirectOutcome(await applyRedirectCallback(context, redirectUrl))
    // The callback may have stored the user or linked the account itself.
    const finalUser = config.customCallbacks.has("signIn") ? await find() : foundUser
    // A passkey that was used belongs to a user.
    const isKnown = decision?.kind === "signIn" || (identity.passkey && !identity.newPasskey)
    if (isKnown && finalUser.decision?.kind === "create")
      throw new AccessDenied({
        provider: provider.id,
        expected: "a user who was not deleted meanwhile",
        hint: "Nothing has to be changed.",
      })
    if (config.secondFactor)
      await secondFactor.assertMayAddAccount(context, identity.account, finalUser.decision)
    // Before the old session ends, because the `redirect` callback may hang.
    const callbackUrl = await resolveCallbackUrl(context)
    const signInResult = await signInUser(identity, finalUser, context, snapshot)
    if (identity.passkey)
      await passkeyDetails.recordPasskey(context, provider, signInResult.user, identity)
    const result = { ...signInResult, rememberMe: signIn?.rememberMe }
    const isLinking = Boolean(linkUser)
    const proven = { provider, result, callbackUrl, isLinking, attemptKeys }
    if (!config.secondFactor) return await finishSignIn(context, proven)
    return await secondFactor.continueSignIn(context, proven)
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
    user.email ? `the address ${JSON.stringify(user.email)} (${emailVerification})` : "no address",
    ...(profile ? [`a profile with ${Object.keys(profile).join(", ")}`] : []),
  ]
  return facts.join(", ")
}

/** Whether the visitor was refused, as opposed to a failure of the server or of a callback. */
function isRefusal(error: unknown): boolean {
  return isClientError(error) && error.cause?.err === undefined
}
