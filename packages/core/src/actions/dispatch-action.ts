/** Which action answers which request. */
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

const getActions: Readonly<Record<AuthAction, Action>> = {
  callback: callbackAction,
  csrf: csrfAction,
  error: errorAction,
  providers: providersAction,
  session: sessionAction,
  signin: signInAction,
  signout: signOutAction,
  "verify-request": verifyRequestAction,
  "webauthn-options": webauthnOptionsAction,
}

const postActions: Readonly<Partial<Record<AuthAction, Action>>> = {
  callback: callbackAction,
  session: sessionAction,
  signin: signInAction,
  signout: signOutAction,
}

/**
 * Answers a request to an action.
 *
 * @throws UnknownAction when the action is not made for the method, InvalidProvider for an unknown provider, and
 *   whatever the action throws
 */
export const dispatchAction: Action = async (request, services, caller) => {
  const action = (request.method === "GET" ? getActions : postActions)[request.action]
  if (!action) {
    throw new UnknownAction({ expected: `${request.action} to be asked for with GET` })
  }
  getProvider(request, services.config)
  const outcome = await action(request, services, caller)
  // The standing cookies: every answer but a refusal and this list leaves a browser with both.
  const isRefusal = outcome.kind === "json" && outcome.status >= 400
  if (!isRefusal && request.action !== "providers" && caller.kind === "browser") {
    if (!isCallbackUrlCurrent(request, services.config)) await resolveCallbackUrl(request, services)
    if (request.action !== "csrf" && needsCsrfCookie(request)) {
      await ensureCsrfToken(request, services, "any-session")
    }
  }
  return outcome
}
