/** `GET signout` shows the sign-out page; `POST signout` ends the session. */
import { getCustomPage } from "../config/custom-pages.ts"
import { redirectOutcome } from "../http/action-outcome.ts"
import type { Action } from "./action-context.ts"
import { ensureCsrfToken, verifyCsrfToken } from "./csrf.ts"
import { resolveCallbackUrl, resolveDestination } from "./resolve-callback-url.ts"

export const signOutAction: Action = async (context) => {
  const { request, config, sessions, renderPage, emitEvent } = context
  const callbackUrl = await resolveCallbackUrl(context)
  if (request.method === "GET") {
    const customPage = getCustomPage("signOut", config, request.origin)
    if (customPage) return redirectOutcome(customPage)
    const { kind } = await sessions.readSession(request)
    if (kind !== "valid" && kind !== "unavailable")
      return redirectOutcome(await resolveDestination(context))
    const csrfToken = await ensureCsrfToken(context, "session")
    const action = `${request.actionsUrl}/signout`
    return renderPage({ page: "sign-out", csrfToken, action, callbackUrl }, request)
  }
  await verifyCsrfToken(context, "session")
  const endedSession = await sessions.endSession(request)
  if (endedSession) await emitEvent("signOut", endedSession, request)
  return redirectOutcome(callbackUrl)
}
