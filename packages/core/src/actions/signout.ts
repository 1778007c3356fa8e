/** `GET signout` asks; `POST signout` ends the session. */
import { type ActionOutcome, redirectOutcome } from "../http/action-outcome.ts"
import { resolveCallbackUrl } from "./callback-url.ts"
import { ensureCsrfToken, verifyCsrfToken } from "./csrf-protection.ts"
import { type Action, resolveActionUrl } from "./services.ts"

export const signOutAction: Action = async (request, services, caller): Promise<ActionOutcome> => {
  const { config, sessions, pages } = services
  const callbackUrl = await resolveCallbackUrl(request, services)
  if (request.method === "GET") {
    if (config.pages.signOut) return redirectOutcome(config.pages.signOut)
    const token = await ensureCsrfToken(request, services, "session")
    const page = await pages.signOut({
      ...(token === undefined ? {} : { csrfToken: token }),
      action: resolveActionUrl(request, config, "signout"),
      callbackUrl,
    })
    return { kind: "page", page }
  }
  await verifyCsrfToken(request, services, caller, "session")
  const endedSession = await sessions.endSession(request)
  if (endedSession) await services.emitEvent("signOut", endedSession)
  return redirectOutcome(callbackUrl)
}
