/** `GET signout` shows the sign-out page; `POST signout` ends the session. */
import { getCustomPage } from "../../config/custom-pages.ts"
import { redirectOutcome } from "../../http/action-outcome.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import type { Action } from "../action-context.ts"
import { ensureCsrfToken, verifyCsrfToken } from "../csrf.ts"
import { resolveCallbackUrl, resolveDestination } from "../resolve-callback-url.ts"
import { signOutAtProvider } from "./provider-logout.ts"

export const signOutAction: Action = async (context) => {
  const { request, config, sessions, renderPage, emitEvent } = context
  const callbackUrl = await resolveCallbackUrl(context)
  if (request.method === "GET") {
    const customPage = getCustomPage("signOut", config, request.origin)
    if (customPage) return redirectOutcome(customPage)
    const { kind } = await sessions.checkSession(request)
    if (kind !== "valid" && kind !== "unavailable")
      return redirectOutcome(await resolveDestination(context))
    const csrfToken = await ensureCsrfToken(context, "session")
    const query = isFederated(request) ? "?federated=true" : ""
    const action = `${request.actionsUrl}/signout${query}`
    return renderPage({ page: "sign-out", csrfToken, action, callbackUrl }, request)
  }
  await verifyCsrfToken(context, "session")
  const endSession = async () => {
    const endedSession = await sessions.endSession(request)
    if (endedSession) await emitEvent("signOut", endedSession, request)
  }
  if (isFederated(request))
    return redirectOutcome(await signOutAtProvider(context, callbackUrl, endSession))
  await endSession()
  return redirectOutcome(callbackUrl)
}

/** Whether a form, or the link to its page, requests that the user be signed out at the provider, too. */
function isFederated({ body, query }: ActionRequest): boolean {
  const federated = Object.hasOwn(body, "federated") ? body["federated"] : query.get("federated")
  return federated === true || federated === "true"
}
