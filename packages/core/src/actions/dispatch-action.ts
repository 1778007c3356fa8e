/** Finds the action for a request and runs it. */
import { UnknownAction } from "../errors.ts"
import type { AuthAction } from "../types.ts"
import { callbackAction } from "./callback.ts"
import { isCallbackUrlCurrent, resolveCallbackUrl } from "./callback-url.ts"
import { csrfAction } from "./csrf.ts"
import { ensureCsrfToken, needsCsrfCookie } from "./csrf-protection.ts"
import { providersAction } from "./providers.ts"
import { type Action, getProvider } from "./services.ts"
import { sessionAction } from "./session.ts"
import { signInAction } from "./signin.ts"
import { signOutAction } from "./signout.ts"
import { errorAction, verifyRequestAction } from "./static-pages.ts"
import { webauthnOptionsAction } from "./webauthn-options.ts"

const postActions: Readonly<Partial<Record<AuthAction, Action>>> = {
  callback: callbackAction,
  session: sessionAction,
  signin: signInAction,
  signout: signOutAction,
}

const getActions: Readonly<Partial<Record<AuthAction, Action>>> = {
  ...postActions,
  csrf: csrfAction,
  error: errorAction,
  providers: providersAction,
  "verify-request": verifyRequestAction,
  "webauthn-options": webauthnOptionsAction,
}

/**
 * Runs the action of a request.
 *
 * @throws UnknownAction if the action does not support the method, InvalidProvider for an unknown provider, and
 *   whatever the action throws
 */
export const dispatchAction: Action = async (request, services, caller) => {
  const action = (request.method === "GET" ? getActions : postActions)[request.action]
  if (!action) throw new UnknownAction({ expected: `${request.action} to be requested with GET` })
  getProvider(request, services.config)
  const outcome = await action(request, services, caller)
  const isRefusal = outcome.kind === "json" && outcome.status >= 400
  if (isRefusal || request.action === "providers" || caller.kind !== "browser") return outcome
  // Every other response leaves the browser with a callback URL and a CSRF cookie.
  if (!isCallbackUrlCurrent(request, services)) await resolveCallbackUrl(request, services)
  if (request.action !== "csrf" && needsCsrfCookie(request))
    await ensureCsrfToken(request, services, "any-session")
  return outcome
}
