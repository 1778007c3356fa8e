/** Compiles a configuration into an engine, which handles requests. */
import { createApplicationRequest, RequestSessionContext } from "./actions/parse-request.ts"
import type { CallerKind, Services } from "./actions/services.ts"
import { getCurrentSession } from "./actions/session.ts"
import type { AuthConfig } from "./config/auth-config.ts"
import { type CoreServices, createCoreServices } from "./config/core-services.ts"
import { resolveConfig } from "./config/resolve-config.ts"
import { expectsJsonRedirect, toPlainResponse, toRawResponse } from "./engine/action-result.ts"
import { createEngineCache, type EngineCache } from "./engine/engine-cache.ts"
import { getConfigError, handleRequest, runAction, timeoutError } from "./engine/handle-request.ts"
import { AuthError, SessionTokenError } from "./errors.ts"
import { EmailFlow } from "./flows/email.ts"
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
import { createPages } from "./pages/pages.ts"
import { createSessionStrategy } from "./sessions/create-session-strategy.ts"
import type { SessionUpdate } from "./sessions/session-strategy.ts"
import type { Cookie } from "./types.ts"

/** A compiled configuration, with the methods that only this library and its framework packages call. */
export interface Engine extends LatchkeyAuth {
  handleRaw(request: Request): Promise<RawResponse>
  /**
   * Handles a request to one of the actions without web objects. Never rejects.
   *
   * @param url the URL of the request, with the origin that the browser sees; do not change it afterwards
   */
  handleIncoming(incoming: IncomingRequest, url: URL): Promise<PlainResponse>
  session(
    headers: Pick<HeaderReader, "get">,
    url: string | URL,
    onFault?: OnFault,
  ): Promise<SessionResult>
}

interface EngineOptions {
  readonly cache?: EngineCache
  readonly trustSameOrigin?: boolean
}

/** Compiles a configuration. */
export function createEngine(
  authConfig: AuthConfig,
  { cache = createEngineCache(), trustSameOrigin = false }: EngineOptions = {},
): Engine {
  const config = resolveConfig(authConfig)
  const coreServices = createCoreServices(config)
  const { hasher, logger } = coreServices
  const services: Services = {
    ...coreServices,
    csrf: createCsrfTokens(hasher, config.secrets),
    sessions: createSessionStrategy(coreServices),
    getMetadata: cache.getMetadata,
    email: new EmailFlow(coreServices),
    webauthn: new WebAuthnFlow(coreServices),
    pages: createPages(config.theme),
    resolveTarget: createTargetResolver(config.basePath),
    trustSameOrigin,
  }
  if (config.debug) logger.warn("debug-enabled")
  if (authConfig?.experimental?.enableWebAuthn === true) logger.warn("experimental-webauthn")
  for (const problem of config.problems) logger.error(problem)
  if (config.development) void logWarnings(authConfig, coreServices, cache.reportedWarnings)
  return {
    basePath: config.basePath,
    async handle(request, url = request.url) {
      const incoming = createIncomingRequest(request)
      const result = await handleRequest(incoming, services, String(url))
      return toResponse(toPlainResponse(result, request.headers, logger))
    },
    async handleIncoming(incoming, url) {
      const result = await handleRequest(incoming, services, url)
      return toPlainResponse(result, incoming.headers, logger)
    },
    async handleRaw(request) {
      const result = await handleRequest(createIncomingRequest(request), services, request.url)
      const { error } = result
      if (error instanceof AuthError && !expectsJsonRedirect(request.headers)) throw error
      return toRawResponse(result)
    },
    session: (headers, url, onFault) => readSession(headers, url, services, undefined, onFault),
    signIn: (input) => signIn(input, services),
    signOut: (input) => signOut(input, services),
    update: async ({ headers, url, data }) => readSession(headers, url, services, { data }),
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

async function readSession(
  headers: Pick<HeaderReader, "get">,
  url: string | URL,
  services: Services,
  update: SessionUpdate,
  onFault?: OnFault,
): Promise<SessionResult> {
  assertValidConfig(services)
  const context = new RequestSessionContext(headers, new URL(url), services)
  const { jar } = context
  try {
    const work = getCurrentSession(context, services, update)
    return { session: await withRequestTimeout(work, timeoutError(context)), cookies: jar.list }
  } catch (error) {
    services.logger.error(error)
    if (jar.cookiesOnError.length > 0) void callOnFault(jar.cookiesOnError, onFault, services)
    if (error instanceof AuthError) throw error
    throw new SessionTokenError("The session could not be checked.", { cause: error })
  }
}

/** Calls `onFault`. If it fails, the failure is logged and the caller throws the original error. */
async function callOnFault(
  cookies: readonly Cookie[],
  onFault: OnFault | undefined,
  { logger }: Services,
): Promise<void> {
  try {
    await onFault?.(cookies)
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
  const { options = {}, authorizationParams } = input
  const provider = services.config.providers.get(input.provider ?? "")
  const { redirectTo, ...fields } = options
  const body = typeof redirectTo === "string" ? { ...fields, callbackUrl: redirectTo } : fields
  const action = provider?.type === "credentials" ? "callback" : "signin"
  const request = createApplicationRequest(input, services, action, provider?.id, body)
  return runRedirectAction(request, services, {
    kind: "application",
    authorizationParams: authorizationParams ? new URLSearchParams(authorizationParams) : undefined,
  })
}

async function signOut(input: SignOutInput, services: Services): Promise<RedirectResult> {
  assertValidConfig(services)
  const body = { callbackUrl: input.options?.redirectTo }
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
  return { redirect: outcome.kind === "redirect" ? outcome.to : request.origin, cookies }
}
