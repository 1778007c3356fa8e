/** Handles requests: parses them, runs their action within a time limit, and turns errors into outcomes. */
import type { ActionContext, Services } from "../actions/action-context.ts"
import { dispatchAction } from "../actions/dispatch-action.ts"
import { getCustomPage } from "../config/custom-pages.ts"
import { parseWebUrl } from "../config/environment.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { InvalidRequest, isClientError } from "../errors.ts"
import { jsonOutcome } from "../http/action-outcome.ts"
import { ActionRequest } from "../http/action-request.ts"
import type { IncomingRequest } from "../http/incoming-request.ts"
import { isLoopbackHost } from "../http/private-hosts.ts"
import { type ParsedBody, readBody } from "../http/request-body.ts"
import { endsWithAction, isBasePath, parseRoute } from "../http/route.ts"
import { requestTimeout, withTimeout } from "../http/timeout.ts"
import { loadOnFirstCall } from "../load-on-first-call.ts"
import { type ActionResult, serverErrorOutcome } from "./action-result.ts"
import { getConfigError, runInTime } from "./request-errors.ts"

/** Longest query in characters. */
const maxQueryLength = 16_384

// The code that answers failed requests loads with the first of them.
const errorOutcome = loadOnFirstCall(() => import("../actions/errors/error-outcome.ts"))
const failures = loadOnFirstCall(() => import("../actions/errors/report-failure.ts"))

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
    const route = findRoute(url, config)
    if (!route || url.search.length > maxQueryLength) {
      return { outcome: await errorOutcome.refuseUnknownPath(incoming, url, services), cookies: [] }
    }
    const configError = getConfigError(config)
    if (configError) {
      // The log has had its problems since the configuration was compiled.
      const outcome = await errorOutcome.createConfigErrorOutcome(
        route.action,
        incoming,
        url,
        services,
      )
      return { outcome, cookies: [], error: configError, alwaysRedirects: true }
    }
    if (config.development) warnOfOtherPort(incoming, services)
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

/** Warns if `AUTH_URL` names another port of this machine, to which browsers would come back. */
function warnOfOtherPort({ headers }: IncomingRequest, { config, warnOnce }: Services): void {
  const { authUrlOrigin = "" } = config
  const [configured, own] = [authUrlOrigin, `http://${headers.get("host")}`].map(parseWebUrl)
  if (!own || !configured || own.port === configured.port) return
  if (!isLoopbackHost(own.hostname) || !isLoopbackHost(configured.hostname)) return
  const message = `AUTH_URL is ${authUrlOrigin}, but the browser opened port ${own.port}: sign-ins lead to the other one.`
  warnOnce("auth-url-port", `${message} Correct AUTH_URL, or start the server on its port.`)
}

/** Finds the action for a request. The base path leads to the sign-in page, unless it is that page. */
function findRoute({ origin, pathname }: URL, config: ResolvedConfig) {
  const { basePath } = config
  if (!isBasePath(pathname, basePath) || endsWithAction(basePath))
    return parseRoute(pathname, basePath)
  const signInPage = new URL(getCustomPage("signIn", config, origin) ?? "/", origin)
  const isSignInPage = signInPage.origin === origin && isBasePath(signInPage.pathname, basePath)
  return isSignInPage ? undefined : ({ action: "signin", isBasePath: true } as const)
}

/** @throws InvalidRequest for a body that cannot be read */
function readBodyInTime(incoming: IncomingRequest): Promise<ParsedBody> {
  const createError = () => new InvalidRequest(400, { expected: "the body to arrive in time" })
  return withTimeout(requestTimeout, readBody(incoming), createError)
}

/** Runs the action of a request. Errors become outcomes. */
export async function runAction(context: ActionContext): Promise<ActionResult> {
  const { config, request, logger } = context
  try {
    const outcome = await runInTime(request, dispatchAction(context))
    return { outcome, cookies: request.jar.list }
  } catch (error) {
    const requestSecrets = collectRequestSecrets(request)
    const isLogged = config.providerProblems.some((problem) => problem === error)
    if (!isLogged) logger.error(error, requestSecrets)
    if (config.events.security) await failures.reportFailure(error, context)
    const outcome = await errorOutcome.handleError(error, context, requestSecrets)
    const isFailure = !isClientError(error)
    if (context.suggestsNodeEnv && outcome.kind === "redirect" && isFailure)
      context.warnOnce("node-env", nodeEnvMessage)
    return { outcome, cookies: request.jar.cookiesOnError, error }
  }
}

const nodeEnvMessage =
  "NODE_ENV is not set: `development` shows the details of errors in the browser. Set `production` in production."

const publicFields = new Set(["action", "callbackUrl", "email", "link", "redirectTo", "rememberMe"])

/** Returns the values of a request that its log lines must not contain. */
function collectRequestSecrets({ body, query, secrets }: ActionRequest): string[] {
  const fields = Object.keys(body).filter((name) => !publicFields.has(name))
  const parameters = ["code", "token", "state"].map((name) => query.get(name))
  return [...fields.map((name) => body[name]), ...parameters, ...secrets]
    .filter((value) => typeof value === "string" || typeof value === "number")
    .map(String)
}
