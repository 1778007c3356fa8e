/** `GET error` and `GET verify-request`: pages that only tell something. */
import { type Outcome, redirect, withQuery } from "../http/outcome.ts"
import { takeReport } from "./explanation.ts"
import { type Action, actionUrl } from "./services.ts"

export const error: Action = async (exchange, { config, pages }): Promise<Outcome> => {
  const code = exchange.query.getAll("error").at(-1)
  const said = code === undefined ? {} : { error: code }
  if (config.pages.error) return redirect(withQuery(config.pages.error, said))
  const page = await pages.error({
    ...said,
    signInUrl: actionUrl(exchange, config, "signin"),
    homeUrl: exchange.origin,
    trace: await takeReport(exchange, config),
  })
  return { kind: "page", page }
}

export const verifyRequest: Action = async (exchange, { config, pages }): Promise<Outcome> => {
  if (config.pages.verifyRequest) {
    const query = Object.fromEntries(exchange.query)
    return redirect(withQuery(config.pages.verifyRequest, query))
  }
  return { kind: "page", page: await pages.verifyRequest({ homeUrl: exchange.origin }) }
}
