/** Handles requests: parses them, runs their action within a time limit, and turns errors into outcomes. */
import type { ActionContext, Services } from "../actions/action-context.ts"
import { dispatchAction } from "../actions/dispatch-action.ts"
import { createConfigErrorOutcome, createErrorOutcome } from "../actions/error-outcome.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { describeValue } from "../errors/describe-value.ts"
import {
  AuthError,
  InvalidConfiguration,
  InvalidRequest,
  isClientError,
  UnknownAction,
} from "../errors.ts"
import { jsonOutcome } from "../http/action-outcome.ts"
import { ActionRequest } from "../http/action-request.ts"
import type { IncomingRequest } from "../http/incoming-request.ts"
import { type ParsedBody, readBody } from "../http/request-body.ts"
import { parseRoute } from "../http/route.ts"
import type { SessionContext } from "../http/session-context.ts"
import { withRequestTimeout } from "../http/timeout.ts"
import { type ActionResult, serverErrorOutcome } from "./action-result.ts"

/** Longest query in characters. */
const maxQueryLength = 16_384

/** Handles a request to an action. Never rejects. */
export async function handleRequest(
  incoming: IncomingRequest,
  services: Services,
  requestUrl: string | URL,
): Promise<ActionResult> {
  const { config, logger } = services
  try {
    const { method } = incoming
    const url = typeof requestUrl === "string" ? new URL(requestUrl) : requestUrl
    const route = parseRoute(url.pathname, config.basePath)
    const isSupported = method === "GET" || method === "POST"
    if (!route || !isSupported || url.search.length > maxQueryLength) {
      const expected = `GET or POST to an action under ${config.basePath}`
      const received = `${method} ${describeValue(url.pathname)}`
      logger.error(new UnknownAction({ expected, received }))
      return { outcome: jsonOutcome("Bad request.", 400), cookies: [] }
    }
    const error = getConfigError(config)
    if (error) {
      // The log has had its problems since the configuration was compiled.
      const outcome = await createConfigErrorOutcome(route.action, method, url, services)
      return { outcome, cookies: [], error, alwaysRedirects: true }
    }
    const body = method === "POST" ? await readBodyInTime(incoming) : undefined
    const request = new ActionRequest(incoming, url, route, config, body)
    return await runAction({ ...services, request, caller: "browser" })
  } catch (error) {
    logger.error(error)
    if (!(error instanceof InvalidRequest))
      return { outcome: serverErrorOutcome, cookies: [], error }
    const body = error.status === 400 ? "Bad request." : { message: error.message }
    return { outcome: jsonOutcome(body, error.status), cookies: [], error }
  }
}

/** @throws InvalidRequest for a body that cannot be read */
function readBodyInTime({ request }: IncomingRequest): Promise<ParsedBody> {
  const expected = "the body to arrive in time"
  return withRequestTimeout(readBody(request), () => new InvalidRequest(400, { expected }))
}

/** Runs the action of a request. Errors become outcomes. */
export async function runAction(context: ActionContext): Promise<ActionResult> {
  const { config, request, logger } = context
  try {
    const outcome = await withRequestTimeout(dispatchAction(context), timeoutError(request))
    return { outcome, cookies: request.jar.list }
  } catch (error) {
    const requestSecrets = collectRequestSecrets(request)
    const isLogged = config.providerProblems.some((problem) => problem === error)
    if (!isLogged) logger.error(error, requestSecrets)
    const outcome = createErrorOutcome(error, context)
    const isFailure = !(error instanceof Error && isClientError(error))
    if (context.suggestsNodeEnv && outcome.kind === "redirect" && isFailure)
      context.warnOnce("node-env", nodeEnvMessage)
    if (request.reportRecorder) {
      // Only development and `debug` load the module.
      const { saveErrorReport } = await import("../actions/error-report.ts")
      await saveErrorReport(error, context, outcome, requestSecrets)
    }
    return { outcome, cookies: request.jar.cookiesOnError, error }
  }
}

const nodeEnvMessage =
  "NODE_ENV is not set: `development` shows the details of errors in the browser. Set `production` in production."

/** Returns a function that creates the error for a request that takes too long, and marks its cookies as late. */
export function timeoutError({ jar }: SessionContext): (seconds: number) => AuthError {
  return (seconds) => {
    jar.markTimedOut()
    return new AuthError({
      expected: `callbacks and adapter to finish within ${seconds} s`,
      hint: "Set a timeout where your callbacks, hooks, database or mail server wait.",
    })
  }
}

const publicFields = new Set(["action", "callbackUrl", "email", "link", "redirectTo"])

/** Returns the values of a request that its log lines must not contain. */
function collectRequestSecrets({ body, query, secrets }: ActionRequest): string[] {
  const parameters = ["code", "token", "state"].map((name) => [name, query.get(name)] as const)
  return [...Object.entries(body), ...parameters]
    .filter(([name]) => !publicFields.has(name))
    .map(([, value]) => value)
    .filter((value) => typeof value === "string" || typeof value === "number")
    .map(String)
    .concat(secrets)
}

/** Returns the problems of a configuration as one error; undefined if there are none. */
export function getConfigError({ problems }: ResolvedConfig): AuthError | undefined {
  const error = problems.length > 1 ? new InvalidConfiguration(problems) : problems[0]
  // Frameworks print the stack of what is thrown. Where a problem was found says nothing.
  if (error) error.stack = `${error.name}: ${error.message}`
  return error
}
