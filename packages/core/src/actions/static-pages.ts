/** `GET error` and `GET verify-request`: pages that only tell something. */
import { type ActionOutcome, appendQuery, redirectOutcome } from "../http/action-outcome.ts"
import { consumeErrorReport } from "./error-report.ts"
import { type Action, resolveActionUrl } from "./services.ts"

export const errorAction: Action = async (request, services): Promise<ActionOutcome> => {
  const { config, pages } = services
  const code = request.query.getAll("error").at(-1)
  const errorParam = code === undefined ? {} : { error: code }
  if (config.pages.error) return redirectOutcome(appendQuery(config.pages.error, errorParam))
  const page = await pages.error({
    ...errorParam,
    signInUrl: resolveActionUrl(request, config, "signin"),
    homeUrl: request.origin,
    errorReport: await consumeErrorReport(request, services),
  })
  return { kind: "page", page }
}

export const verifyRequestAction: Action = async (
  request,
  { config, pages },
): Promise<ActionOutcome> => {
  if (config.pages.verifyRequest) {
    const query = Object.fromEntries(request.query)
    return redirectOutcome(appendQuery(config.pages.verifyRequest, query))
  }
  return { kind: "page", page: await pages.verifyRequest({ homeUrl: request.origin }) }
}
