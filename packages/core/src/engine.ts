/** Compiles a configuration into an engine, which handles requests. */
import type { ActionContext, Services } from "./actions/action-context.ts"
import { createAttemptCounter } from "./actions/limits/attempt-counter.ts"
import { updateCurrentSession } from "./actions/session.ts"
import type { AuthConfig } from "./config/auth-config.ts"
import { type ConfigWarning, findProviderWarnings } from "./config/checks/provider-rules.ts"
import { createCoreServices, type RunWithServices } from "./config/core-services.ts"
import { getCustomPage } from "./config/custom-pages.ts"
import { resolveConfig } from "./config/resolve-config.ts"
import { findProvider } from "./config/resolve-providers.ts"
import { expectsJsonRedirect, toPlainResponse, toRawResponse } from "./engine/action-result.ts"
import { getSession } from "./engine/get-session.ts"
import { handleRequest, runAction } from "./engine/handle-request.ts"
import { getConfigError } from "./engine/request-errors.ts"
import { createServerAuth } from "./engine/server-auth.ts"
import { AuthError } from "./errors.ts"
import { createMetadataCache, type MetadataCache } from "./flows/oauth/metadata-cache.ts"
import { logMissingPackage } from "./flows/passkeys/load-server.ts"
import { type PlainResponse, toResponse } from "./http/action-outcome.ts"
import { ActionRequest } from "./http/action-request.ts"
import { respondWithCors } from "./http/cross-origin.ts"
import { type IncomingRequest, IncomingWebRequest } from "./http/incoming-request.ts"
import type { RequestBody } from "./http/request-body.ts"
import { type ActionRoute, buildActionsUrl, stepUpPath } from "./http/route.ts"
import type {
  AuthorizationParams,
  AuthRequest,
  LatchkeyAuth,
  RawResponse,
  RedirectResult,
  SignInOptions,
} from "./latchkey-auth.ts"
import type { WarnOnce } from "./logging/logger.ts"
import { createLanguageSelector, createPageRenderer } from "./pages/render-page.ts"
import { createSessionStrategy } from "./sessions/create-session-strategy.ts"
import { getCurrentSession } from "./sessions/current-session.ts"
import { hasFactsInToken } from "./sessions/session-facts.ts"

/** A compiled configuration, with the members that only this library and its framework packages use. */
export interface Engine extends LatchkeyAuth {
  handleRaw(request: Request): Promise<RawResponse>
  /**
   * Handles a request to one of the actions without web objects. Never rejects.
   *
   * @param url the URL of the request, with the origin that the browser sees
   */
  handleIncoming(incoming: IncomingRequest, url: URL): Promise<PlainResponse>
  /** Whether the configuration has no error for which every request is refused. */
  readonly isUsable: boolean
  /** Whether a provider is left. */
  readonly hasProviders: boolean
  /** Whether sessions know when they began. */
  readonly knowsSessionTimes: boolean
  /** Returns the path or URL of the sign-in page: the application's own, or the built-in one. */
  getSignInPage(origin: string): string
  /** The URL of the page that asks for the second factor of a session. Undefined without the option. */
  getStepUpPage(origin: string): string | undefined
  /** Logs a warning, unless it has been logged before. */
  readonly warnOnce: WarnOnce
  /** Runs work for server code. Logs its errors, because some frameworks hide them from the caller. */
  readonly run: RunWithServices<Services>
}

/** State that engines share when a configuration is compiled again. */
export interface EngineCache {
  readonly getMetadata: MetadataCache
  /** The problems and warnings that each logger has received already; `defaultLogger` stands for the console. */
  readonly reported: WeakMap<object, Set<string>>
}

const defaultLogger = {}
/** The maximum number of lines to remember for a logger. */
const maxReported = 1000

export function createEngineCache(): EngineCache {
  return { getMetadata: createMetadataCache(), reported: new WeakMap() }
}

/** The options that framework packages set. By default, they are false. */
export type EngineOptions = Partial<Pick<Services, "trustSameOrigin" | "suggestsNodeEnv">>

/** Compiles a configuration. */
export function createEngine(
  authConfig: AuthConfig,
  cache: EngineCache = createEngineCache(),
  { trustSameOrigin = false, suggestsNodeEnv = false }: EngineOptions = {},
): Engine {
  const config = resolveConfig(authConfig)
  const coreServices = createCoreServices(config)
  const { logger } = coreServices
  const logOnce = createLogOnce(cache, config.customLogger)
  const warnOnce: WarnOnce = (code, ...message) =>
    logOnce([code, ...message].join(" "), () => logger.warn(code, ...message))
  const selectLanguage = createLanguageSelector(config, logger)
  const services: Services = {
    ...coreServices,
    sessions: createSessionStrategy(coreServices),
    getMetadata: cache.getMetadata,
    renderPage: createPageRenderer(config, selectLanguage),
    selectLanguage,
    attempts: createAttemptCounter(coreServices),
    trustSameOrigin,
    suggestsNodeEnv: suggestsNodeEnv && !config.development && !config.production,
    warnOnce,
  }
  logMissingPackage(services)
  if (config.debug) warnOnce("debug-enabled")
  if (authConfig?.experimental?.enableWebAuthn === true) warnOnce("experimental-webauthn")
  for (const problem of [...config.problems, ...config.providerProblems])
    logOnce(`${problem.type} ${problem.message}`, () => logger.error(problem))
  const logWarnings = (warnings: readonly ConfigWarning[]) => {
    for (const { type, error } of warnings) warnOnce(type, error.message)
  }
  logWarnings(findProviderWarnings(config))
  if (config.development) {
    // Production never loads the module that finds the other warnings.
    import("./config/checks/warnings.ts")
      .then(({ findConfigWarnings }) => logWarnings(findConfigWarnings(authConfig, config)))
      .catch((error) => logger.error(error))
  }
  const respond = async (incoming: IncomingRequest, url: string | URL) =>
    toPlainResponse(await handleRequest(incoming, services, url), incoming.headers, logger)
  const { trustedOrigins } = config
  const respondToOrigins: typeof respond = (incoming, url) =>
    respondWithCors(incoming, trustedOrigins, () => respond(incoming, url))
  const handleIncoming = trustedOrigins.length === 0 ? respond : respondToOrigins
  const run: RunWithServices<Services> = async (work) => {
    const configError = getConfigError(config)
    if (configError) throw configError
    try {
      return await work(services)
    } catch (error) {
      logger.error(error)
      throw error
    }
  }
  return {
    ...createServerAuth(run),
    basePath: config.basePath,
    isUsable: config.problems.length === 0,
    hasProviders: config.providers.size > 0,
    knowsSessionTimes: config.session.strategy === "jwt" || hasFactsInToken(config),
    getSignInPage: (origin) =>
      getCustomPage("signIn", config, origin) ??
      `${buildActionsUrl(origin, config.basePath)}/signin`,
    getStepUpPage: (origin) =>
      config.secondFactor && `${buildActionsUrl(origin, config.basePath)}/signin/${stepUpPath}`,
    warnOnce,
    run,
    handleIncoming,
    async handle(request, { url = request.url, clientAddress } = {}) {
      return toResponse(await handleIncoming(new IncomingWebRequest(request, clientAddress), url))
    },
    async handleRaw(request) {
      const result = await handleRequest(new IncomingWebRequest(request), services, request.url)
      const { error } = result
      if (error instanceof AuthError && !expectsJsonRedirect(request.headers)) throw error
      return toRawResponse(result)
    },
    getSession: (request, options) =>
      getSession(request, services, (context) => getCurrentSession(context, services), options),
    updateSession: (request, data) =>
      getSession(request, services, (context) => updateCurrentSession(context, services, data)),
    signIn: async (...input) => signIn(services, ...input),
    async signOut(request, { redirectTo: callbackUrl, federated } = {}) {
      const body = { callbackUrl, federated }
      return runApplicationAction(services, request, { action: "signout" }, body)
    },
  }
}

/** Returns a function that calls `log` unless a line with the same key was logged before, by any engine of the cache. */
function createLogOnce({ reported }: EngineCache, customLogger: unknown) {
  const logger: object = Object(customLogger ?? defaultLogger) // of an invalid logger, a new object
  const keys = reported.get(logger) ?? new Set()
  reported.set(logger, keys)
  return (key: string, log: () => void): void => {
    if (keys.has(key)) return
    if (keys.size >= maxReported) keys.clear()
    keys.add(key)
    log()
  }
}

function signIn(
  services: Services,
  request: AuthRequest,
  providerId?: string,
  { fields = {}, redirectTo, defaultRedirectTo, browserParams, flow }: SignInOptions = {},
  authorizationParams?: AuthorizationParams,
): Promise<RedirectResult> {
  const provider = findProvider(services.config, providerId)
  const { redirectTo: sentRedirectTo, ...otherFields } = fields
  const isEmailCode = provider?.type === "email" && typeof fields["code"] === "string"
  const callbackUrl =
    redirectTo ||
    sentRedirectTo ||
    fields["callbackUrl"] ||
    (isEmailCode ? undefined : defaultRedirectTo)
  const body = typeof callbackUrl === "string" ? { ...otherFields, callbackUrl } : otherFields
  const action = provider?.type === "credentials" || isEmailCode ? "callback" : "signin"
  const route: ActionRoute = { action, providerId: provider?.id }
  return runApplicationAction(services, request, route, body, {
    flow,
    browserParams,
    authorizationParams: new URLSearchParams(authorizationParams),
  })
}

/** The parameters of an action that the application passes, besides the fields of a form. */
type ApplicationParams = Pick<ActionContext, "flow" | "authorizationParams"> &
  Pick<SignInOptions, "browserParams">

/** Runs an action on behalf of the browser whose request the application handles. */
async function runApplicationAction(
  services: Services,
  applicationRequest: AuthRequest,
  route: ActionRoute,
  body: RequestBody,
  { browserParams, ...params }: ApplicationParams = {},
): Promise<RedirectResult> {
  const { config } = services
  const configError = getConfigError(config)
  if (configError) throw configError
  const { headers, clientAddress } = applicationRequest
  const actionsUrl = buildActionsUrl(new URL(applicationRequest.url).origin, config.basePath)
  const url = new URL([actionsUrl, route.action, route.providerId].filter(Boolean).join("/"))
  url.search = new URLSearchParams(browserParams).toString()
  const incoming = { method: "POST", headers, body: undefined, signal: undefined, clientAddress }
  const parsedBody = { body, form: new URLSearchParams() }
  const request = new ActionRequest(incoming, url, route, config, parsedBody)
  request.source = applicationRequest
  const context: ActionContext = { ...services, ...params, request, caller: "application" }
  const { outcome, cookies, error } = await runAction(context)
  if (error !== undefined) throw error
  return { redirect: outcome.kind === "redirect" ? outcome.to : request.origin, cookies }
}
