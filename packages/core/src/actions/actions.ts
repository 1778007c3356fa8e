/** Which action answers which request. */
import { UnknownAction } from "../errors.ts"
import type { AuthAction } from "../types.ts"
import { callback } from "./callback.ts"
import { csrf } from "./csrf.ts"
import { csrfToken, lacksToken } from "./csrf-guard.ts"
import { error, verifyRequest } from "./information.ts"
import { isLandingKnown, landingOf } from "./landing.ts"
import { providers } from "./providers.ts"
import { type Action, providerOf } from "./services.ts"
import { session } from "./session.ts"
import { signin } from "./signin.ts"
import { signout } from "./signout.ts"
import { webauthnOptions } from "./webauthn-options.ts"

const byGet: Readonly<Record<AuthAction, Action>> = {
  callback,
  csrf,
  error,
  providers,
  session,
  signin,
  signout,
  "verify-request": verifyRequest,
  "webauthn-options": webauthnOptions,
}

const byPost: Readonly<Partial<Record<AuthAction, Action>>> = { callback, session, signin, signout }

/**
 * Answers a request to an action.
 *
 * @throws UnknownAction when the action is not made for the method, InvalidProvider for an unknown provider, and
 *   whatever the action throws
 */
export const act: Action = async (exchange, services, caller) => {
  const action = (exchange.method === "GET" ? byGet : byPost)[exchange.action]
  if (!action) {
    throw new UnknownAction({ expected: `${exchange.action} to be asked for with GET` })
  }
  providerOf(exchange, services.config)
  const outcome = await action(exchange, services, caller)
  // The standing cookies: every answer but a refusal and this list leaves a browser with both.
  const refused = outcome.kind === "json" && outcome.status >= 400
  if (!refused && exchange.action !== "providers" && caller.kind === "browser") {
    if (!isLandingKnown(exchange, services.config)) await landingOf(exchange, services.config)
    if (exchange.action !== "csrf" && lacksToken(exchange)) {
      await csrfToken(exchange, services, "anyone")
    }
  }
  return outcome
}
