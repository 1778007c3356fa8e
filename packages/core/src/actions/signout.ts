/** `GET signout` shows the sign-out page; `POST signout` ends the session. */
import { redirectOutcome } from "../http/action-outcome.ts"
import { buildActionUrl } from "../http/action-url.ts"
import { resolveCallbackUrl } from "./callback-url.ts"
import { ensureCsrfToken, verifyCsrfToken } from "./csrf-protection.ts"
import type { Action } from "./services.ts"

export const signOutAction: Action = async (request, services, caller) => {
  const { config, sessions, pages, emitEvent } = services
  const callbackUrl = await resolveCallbackUrl(request, services)
  if (request.method === "GET") {
    if (config.pages.signOut) return redirectOutcome(config.pages.signOut)
    const csrfToken = await ensureCsrfToken(request, services, "session")
    const action = buildActionUrl(request, config, "signout")
    return { kind: "page", page: await pages.signOut({ csrfToken, action, callbackUrl }) }
  }
  await verifyCsrfToken(request, services, caller, "session")
  const endedSession = await sessions.endSession(request)
  if (endedSession) await emitEvent("signOut", endedSession)
  return redirectOutcome(callbackUrl)
}
