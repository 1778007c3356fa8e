/** `GET error` and `GET verify-request`: the pages without a form. */
import { redirectOutcome } from "../http/action-outcome.ts"
import { buildActionUrl } from "../http/action-url.ts"
import { renderVerifyRequestPage } from "../pages/email-pages.ts"
import { renderErrorPage } from "../pages/error-page.ts"
import type { Action } from "./action-context.ts"
import { consumeErrorReport } from "./error-report.ts"

export const errorAction: Action = async (context) => {
  const { request, config, renderPage } = context
  const error = request.query.getAll("error").at(-1)
  if (config.pages.error)
    return redirectOutcome(config.pages.error, error === undefined ? {} : { error })
  const content = renderErrorPage({
    error,
    signInUrl: buildActionUrl(request, config, "signin"),
    homeUrl: request.origin,
    errorReport: await consumeErrorReport(context),
  })
  return renderPage(content)
}

export const verifyRequestAction: Action = async ({ request, config, renderPage }) => {
  const { query, origin } = request
  const customPage = config.pages.verifyRequest
  if (customPage) return redirectOutcome(customPage, Object.fromEntries(query))
  return renderPage(renderVerifyRequestPage({ homeUrl: origin }))
}
