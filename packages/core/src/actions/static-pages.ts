/** `GET error` and `GET verify-request`: the pages without a form. */
import { getCustomPage } from "../config/custom-pages.ts"
import { redirectOutcome } from "../http/action-outcome.ts"
import { renderErrorPage, renderVerifyRequestPage } from "../pages/message-pages.ts"
import type { Action } from "./action-context.ts"

export const errorAction: Action = async (context) => {
  const { request, config, renderPage } = context
  const error = request.query.getAll("error").at(-1)
  const customPage = getCustomPage("error", config, request.origin)
  if (customPage) return redirectOutcome(customPage, error === undefined ? {} : { error })
  // Production never loads the module.
  const reports = config.development ? await import("./error-report.ts") : undefined
  const content = renderErrorPage({
    error,
    signInUrl: `${request.actionsUrl}/signin`,
    homeUrl: request.origin,
    errorReport: await reports?.renderSavedReport(context),
  })
  return renderPage(content)
}

export const verifyRequestAction: Action = async ({ request, config, renderPage }) => {
  const { query, origin } = request
  const customPage = getCustomPage("verifyRequest", config, origin)
  if (customPage) return redirectOutcome(customPage, Object.fromEntries(query))
  return renderPage(renderVerifyRequestPage({ homeUrl: origin }))
}
