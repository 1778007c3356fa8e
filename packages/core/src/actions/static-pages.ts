/** `GET error` and `GET verify-request`: the pages without a form. */
import { redirectOutcome } from "../http/action-outcome.ts"
import { buildActionUrl } from "../http/action-url.ts"
import type { Action } from "./action-context.ts"
import { consumeErrorReport } from "./error-report.ts"

export const errorAction: Action = async (context) => {
  const { request, config, pages } = context
  const error = request.query.getAll("error").at(-1)
  if (config.pages.error)
    return redirectOutcome(config.pages.error, error === undefined ? {} : { error })
  const page = await pages.error({
    error,
    signInUrl: buildActionUrl(request, config, "signin"),
    homeUrl: request.origin,
    errorReport: await consumeErrorReport(context),
  })
  return { kind: "page", page }
}

export const verifyRequestAction: Action = async ({ request, config, pages }) => {
  const { query, origin } = request
  const customPage = config.pages.verifyRequest
  if (customPage) return redirectOutcome(customPage, Object.fromEntries(query))
  return { kind: "page", page: await pages.verifyRequest({ homeUrl: origin }) }
}
