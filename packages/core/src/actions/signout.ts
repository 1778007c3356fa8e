/** `GET signout` shows the sign-out page; `POST signout` ends the session. */
import { redirectOutcome } from "../http/action-outcome.ts"
import { buildActionUrl } from "../http/action-url.ts"
import { renderSignOutPage } from "../pages/sign-out-page.ts"
import type { Action } from "./action-context.ts"
import { ensureCsrfToken, verifyCsrfToken } from "./csrf.ts"
import { resolveCallbackUrl } from "./resolve-callback-url.ts"

export const signOutAction: Action = async (context) => {
  const { request, config, sessions, renderPage, emitEvent } = context
  const callbackUrl = await resolveCallbackUrl(context)
  if (request.method === "GET") {
    if (config.pages.signOut) return redirectOutcome(config.pages.signOut)
    const csrfToken = await ensureCsrfToken(context, "session")
    const action = buildActionUrl(request, config, "signout")
    return renderPage(renderSignOutPage({ csrfToken, action, callbackUrl }))
  }
  await verifyCsrfToken(context, "session")
  const endedSession = await sessions.endSession(request)
  if (endedSession) await emitEvent("signOut", endedSession)
  return redirectOutcome(callbackUrl)
}
