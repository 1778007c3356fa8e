/** Finds the action for a request and runs it. */

import { findProvider } from "../config/resolve-providers.ts"
import { describeValue } from "../errors/describe-value.ts"
import { InvalidProvider } from "../errors.ts"
import { type ActionOutcome, jsonOutcome, redirectOutcome } from "../http/action-outcome.ts"
import { secondFactorPath } from "../http/route.ts"
import { loadOnFirstCall } from "../load-on-first-call.ts"
import type { AuthAction, PublicProvider } from "../types.ts"
import type { Action, ActionContext } from "./action-context.ts"
import { csrfAction, ensureCsrfToken, needsCsrfCookie } from "./csrf.ts"
import {
  mayChangeCallbackUrl,
  resolveCallbackUrl,
  resolveDestination,
} from "./resolve-callback-url.ts"
import { isSignedIn, sessionAction } from "./session.ts"

/** `GET` of the base path: leads to the sign-in page, or on to the application. */
const basePathAction: Action = async (context) =>
  redirectOutcome(
    (await isSignedIn(context))
      ? await resolveDestination(context)
      : `${context.request.actionsUrl}/signin`,
  )

/** `GET providers`: lists the configured providers. */
const providersAction: Action = async ({ request, config }) => {
  const entries = [...config.providers.values()].map(({ id, name, type }) => {
    const signinUrl = `${request.actionsUrl}/signin/${id}`
    const callbackUrl = `${request.actionsUrl}/callback/${id}`
    return [id, { id, name, type, signinUrl, callbackUrl } satisfies PublicProvider] as const
  })
  return { kind: "json", status: 200, body: Object.fromEntries(entries), cache: "default" }
}

/** Actions that sign users in or show pages load with their first request: most processes only check sessions. */
const actions: Readonly<Record<AuthAction, Action>> = {
  callback: loadOnFirstCall(() => import("./sign-in/callback.ts")).callbackAction,
  csrf: csrfAction,
  error: loadOnFirstCall(() => import("./errors/error-outcome.ts")).errorAction,
  logout: loadOnFirstCall(() => import("./sign-out/logout.ts")).logoutAction,
  providers: providersAction,
  session: sessionAction,
  signin: loadOnFirstCall(() => import("./sign-in/signin.ts")).signInAction,
  signout: loadOnFirstCall(() => import("./sign-out/signout.ts")).signOutAction,
  "verify-request": loadOnFirstCall(() => import("./email/verify-request.ts")).verifyRequestAction,
  "webauthn-options": loadOnFirstCall(() => import("./sign-in/webauthn-options.ts"))
    .webauthnOptionsAction,
}

const secondFactor = loadOnFirstCall(() => import("./second-factor/second-factor.ts"))

/** The actions that accept POST requests. All accept GET. */
const postActions: readonly AuthAction[] = ["callback", "logout", "session", "signin", "signout"]

/** Actions whose responses lead to no form: they set neither the CSRF cookie nor that of the callback URL. */
const actionsWithoutForms: readonly AuthAction[] = ["logout", "providers", "session"]

/**
 * Runs the action of a request. Refuses other methods before anything changes: mail scanners open links with HEAD.
 *
 * @throws InvalidProvider for an unknown provider, the problem of one that was left out, and whatever the action throws
 */
export async function dispatchAction(context: ActionContext): Promise<ActionOutcome> {
  const { method, action, isBasePath, providerId } = context.request
  const methods = !isBasePath && postActions.includes(action) ? ["GET", "POST"] : ["GET"]
  if (!methods.includes(method))
    return jsonOutcome("Method not allowed.", 405, { allow: methods.join(", ") })
  const isSecondFactor =
    action === "signin" && providerId === secondFactorPath && context.config.secondFactor
  const provider = isSecondFactor ? undefined : findProvider(context.config, providerId)
  if (providerId !== undefined && !provider && !isSecondFactor) {
    const received = describeValue(providerId)
    throw new InvalidProvider({ expected: "the id of a configured provider", received })
  }
  const namedAction = isSecondFactor ? secondFactor.secondFactorAction : actions[action]
  const runAction = isBasePath ? basePathAction : namedAction
  const outcome = await runAction(context, provider)
  const isRefusal = outcome.kind === "json" && outcome.status >= 400
  const isContinued = outcome.kind === "redirect" && outcome.status === 303
  if (isRefusal || isContinued || context.caller === "application") return outcome
  if (actionsWithoutForms.includes(action)) return outcome
  // Every other response leaves the browser with a callback URL and a CSRF cookie.
  if (mayChangeCallbackUrl(context.request)) await resolveCallbackUrl(context)
  if (action !== "csrf" && needsCsrfCookie(context.request))
    await ensureCsrfToken(context, "any-session")
  return outcome
}
