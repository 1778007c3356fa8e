/** The engine: a configuration compiled once, and the way of a request through it. */
import { createApplicationRequest, createSessionContext } from "./actions/parse-request.ts"
import type { CallerKind, Services } from "./actions/services.ts"
import { getCurrentSession } from "./actions/session.ts"
import type { AuthConfig } from "./config/auth-config.ts"
import { type CoreServices, createCoreServices } from "./config/core-services.ts"
import { resolveConfig } from "./config/resolve-config.ts"
import { type ActionResult, serializeResult, toRawResponse } from "./engine/action-result.ts"
import { createEngineCache, type EngineCache } from "./engine/engine-cache.ts"
import { getConfigError, handleRequest, runAction, timeoutError } from "./engine/handle-request.ts"
import { AuthError, SessionTokenError } from "./errors.ts"
import { EmailFlow } from "./flows/email.ts"
import { OAuthFlow } from "./flows/oauth/oauth.ts"
import { WebAuthnFlow } from "./flows/webauthn/webauthn.ts"
import type { ActionRequest } from "./http/action-request.ts"
import { createCsrfTokens } from "./http/csrf.ts"
import {
  createIncomingRequest,
  type HeaderReader,
  type IncomingRequest,
} from "./http/incoming-request.ts"
import { type PlainResponse, toResponse } from "./http/plain-response.ts"
import { createTargetResolver } from "./http/request-target.ts"
import { withRequestTimeout } from "./http/timeout.ts"
import type {
  LatchkeyAuth,
  OnFault,
  RawResponse,
  RedirectResult,
  SessionResult,
  SignInInput,
  SignOutInput,
} from "./latchkey-auth.ts"
import type { Logger } from "./logging/logger.ts"
import { createPages } from "./pages/pages.ts"
import { createSessionStrategy } from "./sessions/create-session-strategy.ts"
import type { SessionUpdate } from "./sessions/session-strategy.ts"
import type { Cookie } from "./types.ts"

/** The engine, with what only this library and its packages for frameworks call. */
export interface Engine extends LatchkeyAuth {
  handleRaw(request: Request): Promise<RawResponse>
  /**
   * Answers a request to one of the actions, without web objects. Always resolves; never rejects.
   *
   * @param url of the request, with the origin that the browser sees; not to be changed afterwards
   */
  handleIncoming(incoming: IncomingRequest, url: URL): Promise<PlainResponse>
  session(
    headers: Pick<HeaderReader, "get">,
    url: string | URL,
    onFault?: OnFault,
  ): Promise<SessionResult>
}

interface EngineOptions {
  readonly cache: EngineCache
  readonly trustSameOrigin: boolean
}

const createDefaultOptions = (): EngineOptions => ({
  cache: createEngineCache(),
  trustSameOrigin: false,
})

/** Compiles a configuration. */
export function createEngine(
  authConfig: AuthConfig,
  { cache, trustSameOrigin }: EngineOptions = createDefaultOptions(),
): Engine {
  const config = resolveConfig(authConfig)
  const coreServices = createCoreServices(config)
  const { hasher, logger } = coreServices
  if (config.debug) logger.warn("debug-enabled")
  if (authConfig?.experimental?.enableWebAuthn === true) logger.warn("experimental-webauthn")
  const services: Services = {
    ...coreServices,
    csrf: createCsrfTokens(hasher, config.secrets),
    sessions: createSessionStrategy(coreServices),
    oauth: new OAuthFlow(coreServices, cache.metadata),
    email: new EmailFlow(coreServices),
    webauthn: new WebAuthnFlow(coreServices),
    pages: createPages(config.theme),
    resolveTarget: createTargetResolver(config.basePath),
    trustSameOrigin,
  }
  for (const problem of config.problems) logger.error(problem)
  if (config.development) void logWarnings(authConfig, coreServices, cache.reportedWarnings)
  return {
    basePath: config.basePath,
    async handle(request, url = request.url) {
      const incoming = createIncomingRequest(request)
      return toResponse(
        respondToRequest(incoming, await handleRequest(incoming, services, String(url)), logger),
      )
    },
    handleIncoming: async (incoming, url) =>
      respondToRequest(incoming, await handleRequest(incoming, services, url), logger),
    async handleRaw(request) {
      const result = await handleRequest(createIncomingRequest(request), services, request.url)
      if (result.error instanceof AuthError && !expectsJsonRedirect(request.headers))
        throw result.error
      return toRawResponse(result)
    },
    session: async (headers, url, onFault) => readSession(headers, url, services, { onFault }),
    signIn: (input) => signIn(input, services),
    signOut: (input) => signOut(input, services),
    update: async ({ headers, url, data }) =>
      readSession(headers, url, services, { update: { data } }),
  }
}

/** Logs configuration warnings. Production never loads the module that finds them. */
async function logWarnings(
  authConfig: AuthConfig,
  { config, logger }: CoreServices,
  reportedWarnings: Set<string>,
): Promise<void> {
  try {
    const { logConfigWarnings } = await import("./config-warnings.ts")
    logConfigWarnings(authConfig, config, logger, reportedWarnings)
  } catch (error) {
    logger.error(error)
  }
}

const expectsJsonRedirect = (headers: HeaderReader): boolean =>
  headers.has("x-auth-return-redirect")

function respondToRequest(
  { headers }: IncomingRequest,
  result: ActionResult,
  logger: Logger,
): PlainResponse {
  const { outcome, alwaysRedirects } = result
  return serializeResult(
    result,
    outcome.kind === "redirect" && !alwaysRedirects && expectsJsonRedirect(headers),
    logger,
  )
}

interface SessionReadOptions {
  readonly update?: SessionUpdate
  readonly onFault?: OnFault | undefined
}

async function readSession(
  headers: Pick<HeaderReader, "get">,
  url: string | URL,
  services: Services,
  { update, onFault }: SessionReadOptions,
): Promise<SessionResult> {
  assertValidConfig(services)
  const context = createSessionContext(headers, new URL(url), services)
  try {
    const session = await withRequestTimeout(
      getCurrentSession(context, services, update),
      timeoutError(context),
    )
    return { session, cookies: context.jar.list }
  } catch (error) {
    services.logger.error(error)
    void callOnFault(context.jar.cookiesOnError, onFault, services)
    if (error instanceof AuthError) throw error
    throw new SessionTokenError("The session could not be checked.", { cause: error })
  }
}

/** What goes wrong in it is written down alone: the caller has to hear of why the session could not be checked. */
async function callOnFault(
  cookies: readonly Cookie[],
  onFault: OnFault | undefined,
  { logger }: Services,
): Promise<void> {
  try {
    if (cookies.length > 0) await onFault?.(cookies)
  } catch (error) {
    logger.error(error)
  }
}

function assertValidConfig({ config }: Services): void {
  const configError = getConfigError(config)
  if (configError) throw configError
}

async function signIn(input: SignInInput, services: Services): Promise<RedirectResult> {
  assertValidConfig(services)
  const { provider, options = {}, authorizationParams } = input
  const resolvedProvider =
    provider === undefined ? undefined : services.config.providers.get(provider)
  const { redirectTo, ...fields } = options
  const body = typeof redirectTo === "string" ? { ...fields, callbackUrl: redirectTo } : fields
  const action = resolvedProvider?.type === "credentials" ? "callback" : "signin"
  const request = createApplicationRequest(input, services, action, resolvedProvider?.id, body)
  const parameters = authorizationParams && new URLSearchParams(authorizationParams)
  return runRedirectAction(request, services, {
    kind: "application",
    ...(parameters ? { authorizationParams: parameters } : {}),
  })
}

async function signOut(input: SignOutInput, services: Services): Promise<RedirectResult> {
  assertValidConfig(services)
  const callbackUrl = input.options?.redirectTo
  const body = callbackUrl === undefined ? {} : { callbackUrl }
  const request = createApplicationRequest(input, services, "signout", undefined, body)
  return runRedirectAction(request, services, { kind: "application" })
}

async function runRedirectAction(
  request: ActionRequest,
  services: Services,
  caller: CallerKind,
): Promise<RedirectResult> {
  const { outcome, cookies, error } = await runAction(request, services, caller)
  if (error !== undefined) throw error
  if (outcome.kind === "redirect") return { redirect: outcome.to, cookies }
  return { redirect: request.origin, cookies }
}
