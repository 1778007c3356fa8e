/** From a request to what it came to. */
import { dispatchAction } from "../actions/dispatch-action.ts"
import { createConfigErrorOutcome, createErrorOutcome } from "../actions/error-outcome.ts"
import { saveErrorReport } from "../actions/error-report.ts"
import {
  createActionRequest,
  type ParsedRequest,
  readActionRequest,
} from "../actions/parse-request.ts"
import type { CallerKind, Services } from "../actions/services.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { describeValue } from "../errors/describe-value.ts"
import { AuthError, InvalidConfiguration, InvalidRequest, UnknownAction } from "../errors.ts"
import { jsonOutcome } from "../http/action-outcome.ts"
import type { ActionRequest, SessionContext } from "../http/action-request.ts"
import type { IncomingRequest } from "../http/incoming-request.ts"
import type { RequestTarget } from "../http/request-target.ts"
import { withRequestTimeout } from "../http/timeout.ts"
import { type ActionResult, serverErrorOutcome } from "./action-result.ts"

/** Runs a request to its outcome; everything that can fail has one. */
export async function handleRequest(
  incoming: IncomingRequest,
  services: Services,
  url: string | URL,
): Promise<ActionResult> {
  const { config, logger } = services
  try {
    const target = services.resolveTarget(url)
    const { route } = target
    const { method } = incoming
    if (
      route.kind === "unknown" ||
      (method !== "GET" && method !== "POST") ||
      isQueryTooLong(target)
    ) {
      logger.error(createUnknownActionError(method, target, config))
      return { outcome: jsonOutcome("Bad request.", 400), cookies: [] }
    }
    const configError = getConfigError(config)
    if (configError) {
      logger.error(configError)
      const { action } = route
      const outcome = await createConfigErrorOutcome(
        { action, method, url: new URL(url) },
        services,
      )
      return { outcome, cookies: [], error: configError, alwaysRedirects: true }
    }
    const parsedRequest: ParsedRequest = { incoming, url, target, route, method }
    const request =
      method === "POST"
        ? await readActionRequest(parsedRequest, services)
        : createActionRequest(parsedRequest, services)
    return await runAction(request, services, { kind: "browser" })
  } catch (error) {
    logger.error(error)
    if (!(error instanceof InvalidRequest))
      return { outcome: serverErrorOutcome, cookies: [], error }
    const body = error.status === 400 ? "Bad request." : { message: error.message }
    return { outcome: jsonOutcome(body, error.status), cookies: [], error }
  }
}

function createUnknownActionError(
  method: string,
  { pathname }: RequestTarget,
  { basePath }: ResolvedConfig,
) {
  return new UnknownAction({
    expected: `GET or POST to an action under ${basePath}`,
    received: `${method} ${describeValue(pathname)}`,
  })
}

/** Longest query in characters. */
const maxQueryLength = 16_384

function isQueryTooLong({ search }: RequestTarget): boolean {
  return search.length > maxQueryLength
}

/** Runs an exchange to its outcome, in bounded time. */
export async function runAction(
  request: ActionRequest,
  services: Services,
  caller: CallerKind,
): Promise<ActionResult> {
  try {
    const outcome = await withRequestTimeout(
      dispatchAction(request, services, caller),
      timeoutError(request),
    )
    return { outcome, cookies: request.jar.list }
  } catch (error) {
    const { logger } = services
    const requestSecrets = collectRequestSecrets(request)
    logger.error(error, requestSecrets)
    const outcome = createErrorOutcome(error, request, services)
    await saveErrorReport(error, request, services, outcome, requestSecrets)
    return { outcome, cookies: request.jar.cookiesOnError, error }
  }
}

/** What a visit ends with that took too long. */
export function timeoutError({ jar }: SessionContext): (seconds: number) => AuthError {
  return (seconds) => {
    jar.markTimedOut()
    return new AuthError({
      expected: `callbacks and adapter to finish within ${seconds} s`,
      hint: "Give what hangs a limit of its own: a callback, a hook, the database or a mail server.",
    })
  }
}

/** What a person typed or carried: kept out of the log line of an error. */
function collectRequestSecrets(request: ActionRequest): string[] {
  const publicFields = new Set(["action", "callbackUrl", "email", "link", "redirectTo"])
  const secretFields = Object.entries(request.body).filter(([name]) => !publicFields.has(name))
  const querySecrets = ["code", "token", "state"].map((name) => request.query.get(name))
  const values = [...secretFields.map(([, value]) => value), ...querySecrets]
  return values.flatMap((value) =>
    typeof value === "string" || typeof value === "number" ? [String(value)] : [],
  )
}

/** What is wrong with the configuration, as one error. */
export function getConfigError({ problems }: ResolvedConfig): AuthError | undefined {
  return problems.length > 1 ? new InvalidConfiguration(problems) : problems[0]
}
