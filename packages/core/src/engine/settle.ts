/** From a request to what it came to. */
import { act } from "../actions/actions.ts"
import { explain } from "../actions/explanation.ts"
import { failure, misconfigured } from "../actions/failure.ts"
import { type Asked, exchangeOf, readExchange } from "../actions/intake.ts"
import type { Caller, Services } from "../actions/services.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { described } from "../config/rule.ts"
import { AuthError, InvalidConfiguration, InvalidRequest, UnknownAction } from "../errors.ts"
import { inTime } from "../http/deadline.ts"
import type { Exchange, Visit } from "../http/exchange.ts"
import type { IncomingRequest } from "../http/incoming.ts"
import { json } from "../http/outcome.ts"
import type { Place } from "../http/place.ts"
import { fault, type Settled } from "./settled.ts"

/** Runs a request to its outcome; everything that can fail has one. */
export async function settle(
  incoming: IncomingRequest,
  services: Services,
  url: string | URL,
): Promise<Settled> {
  const { config } = services
  try {
    const place = services.placeOf(url)
    const { route } = place
    const { method } = incoming
    if (route.kind === "unknown" || (method !== "GET" && method !== "POST") || isTooLong(place)) {
      config.log.error(unknownAction(method, place, config))
      return { outcome: json("Bad request.", 400), cookies: [] }
    }
    const problem = problemOf(config)
    if (problem) {
      config.log.error(problem)
      const { action } = route
      const outcome = await misconfigured({ action, method, url: new URL(url) }, services)
      return { outcome, cookies: [], error: problem, unchanged: true }
    }
    const asked: Asked = { incoming, url, place, route, method }
    const exchange =
      method === "POST" ? await readExchange(asked, services) : exchangeOf(asked, services)
    return await run(exchange, services, { kind: "browser" })
  } catch (error) {
    config.log.error(error)
    if (!(error instanceof InvalidRequest)) return { outcome: fault, cookies: [], error }
    const body = error.status === 400 ? "Bad request." : { message: error.message }
    return { outcome: json(body, error.status), cookies: [], error }
  }
}

function unknownAction(method: string, { pathname }: Place, { basePath }: ResolvedConfig) {
  return new UnknownAction({
    expected: `GET or POST to an action under ${basePath}`,
    came: `${method} ${described(pathname)}`,
  })
}

/** Longest query in characters. */
const longestQuery = 16_384

function isTooLong({ search }: Place): boolean {
  return search.length > longestQuery
}

/** Runs an exchange to its outcome, in bounded time. */
export async function run(
  exchange: Exchange,
  services: Services,
  caller: Caller,
): Promise<Settled> {
  try {
    const outcome = await inTime(act(exchange, services, caller), tooLate(exchange))
    return { outcome, cookies: exchange.jar.list }
  } catch (error) {
    const { config } = services
    const known = secretsOf(exchange)
    config.log.error(error, known)
    const outcome = failure(error, exchange, services)
    await explain(error, exchange, config, outcome, known)
    return { outcome, cookies: exchange.jar.spentList, error }
  }
}

/** What a visit ends with that took too long. */
export function tooLate({ jar }: Visit): (seconds: number) => AuthError {
  return (seconds) => {
    jar.beLate()
    return new AuthError({
      expected: `callbacks and adapter to finish within ${seconds} s`,
      hint: "Give what hangs a limit of its own: a callback, a hook, the database or a mail server.",
    })
  }
}

/** What a person typed or carried: kept out of the log line of an error. */
function secretsOf(exchange: Exchange): string[] {
  const shown = new Set(["action", "callbackUrl", "email", "link", "redirectTo"])
  const typed = Object.entries(exchange.body).filter(([name]) => !shown.has(name))
  const sent = ["code", "token", "state"].map((name) => exchange.query.get(name))
  const values = [...typed.map(([, value]) => value), ...sent]
  return values.flatMap((value) =>
    typeof value === "string" || typeof value === "number" ? [String(value)] : [],
  )
}

/** What is wrong with the configuration, as one error. */
export function problemOf({ problems }: ResolvedConfig): AuthError | undefined {
  return problems.length > 1 ? new InvalidConfiguration(problems) : problems[0]
}
