/** `GET signout` asks; `POST signout` ends the session. */
import { type Outcome, redirect } from "../http/outcome.ts"
import { assertOwnForm, csrfToken } from "./csrf-guard.ts"
import { landingOf } from "./landing.ts"
import { type Action, actionUrl } from "./services.ts"

export const signout: Action = async (exchange, services, caller): Promise<Outcome> => {
  const { config, sessions, pages } = services
  const callbackUrl = await landingOf(exchange, config)
  if (exchange.method === "GET") {
    if (config.pages.signOut) return redirect(config.pages.signOut)
    const token = await csrfToken(exchange, services, "session")
    const page = await pages.signOut({
      ...(token === undefined ? {} : { csrfToken: token }),
      action: actionUrl(exchange, config, "signout"),
      callbackUrl,
    })
    return { kind: "page", page }
  }
  await assertOwnForm(exchange, services, caller, "session")
  const ended = await sessions.end(exchange)
  if (ended) await config.emit("signOut", ended)
  return redirect(callbackUrl)
}
