/** Compiles the configurations of a framework package once for each base path. */

import type { AuthConfig } from "../config/auth-config.ts"
import { type EnvironmentVariables, parseEnvUrl, setEnvDefaults } from "../config/environment.ts"
import { memoize } from "../crypto/memoize.ts"
import { createEngine, createEngineCache, type Engine, type EngineOptions } from "../engine.ts"
import { InvalidOption, InvalidRequest } from "../errors.ts"
import {
  createPlainResponse,
  jsonOutcome,
  type PlainResponse,
  renderOutcome,
  toResponse,
} from "../http/action-outcome.ts"
import { isBasePath, isUnderBasePath, parseRoute, stripTrailingSlash } from "../http/route.ts"
import { createLogger } from "../logging/logger.ts"
import { endProcess } from "../runtime/platform.ts"
import { type RequestLike, resolveRequestUrl, trustsForwardedHeaders } from "./request-url.ts"

/** The most base paths to keep for a configuration. A route such as `/:tenant/auth` has any number of them. */
const maxEngines = 64

/** How a framework package uses configurations. */
export interface IntegrationOptions extends EngineOptions {
  /** The base path if neither the configuration, the framework nor `AUTH_URL` has one. */
  readonly basePath: string
}

/** The check of a configuration when the application starts. */
export interface StartupCheck {
  /** Ends a Node.js process in production if nobody could sign in. Not for builds, which have no secrets. */
  endProcess(): void
}

/** A compiled configuration under a base path. */
export interface IntegratedAuth {
  readonly engine: Engine
  /** Scheme, host and port of `AUTH_URL`; undefined if requests decide. */
  readonly origin: string | undefined
  /** Whether a path is that of an action under the base path. */
  isActionPath(pathname: string): boolean
  /** Whether a path is the base path itself, which leads to the sign-in page. The application may have a page there. */
  isBasePath(pathname: string): boolean
  /** Whether a path is the base path or below it. Unknown paths there have a page of the library. */
  isUnderBasePath(pathname: string): boolean
  /**
   * Returns the URL of a request as the browser sees it, with the origin of `AUTH_URL` or of trusted headers.
   *
   * @throws InvalidRequest 400 when nothing names a host, or the host is malformed
   */
  resolveRequestUrl(request: RequestLike): URL
  /**
   * Responds to a request to one of the actions, with status 400 if its host is missing or malformed.
   *
   * @param urlSource replaces the URL and headers of a request that does not have its own URL
   * @param clientAddress what the framework trusts, never a header that clients can set
   */
  handle(request: Request, urlSource?: RequestLike, clientAddress?: string): Promise<Response>
}

/**
 * Compiles a configuration, without writing to it. The same object is compiled once for each base path. An object that
 * is created for each request is compiled each time; only the metadata of providers is kept.
 *
 * @param basePath as the framework knows it; wins over `AUTH_URL`, but not over the configuration
 * @throws TypeError when `AUTH_URL` is not an http(s) URL, or the base path does not start with a slash
 */
export interface AuthResolver {
  (config: AuthConfig, env: EnvironmentVariables, basePath?: string): IntegratedAuth
  /**
   * Logs the problems of a configuration when the application starts, instead of at its first request. Keeps nothing
   * else, because the environment may still change. Does nothing on platforms that allow no timers outside of a request.
   *
   * @param env returns the environment at that time
   * @param basePath any path that no page has, if the framework does not know it yet
   */
  checkAtStartup(
    config: AuthConfig,
    env: () => EnvironmentVariables | Promise<EnvironmentVariables>,
    basePath?: string,
  ): StartupCheck
}

/** Creates the resolver of a framework package. */
export function createAuthResolver(options: IntegrationOptions): AuthResolver {
  const cache = createEngineCache()
  const resolvers = new WeakMap<AuthConfig, (basePath?: string) => IntegratedAuth>()

  function createConfigResolver(config: AuthConfig, env: EnvironmentVariables) {
    const authUrl = env["AUTH_URL"] ? parseEnvUrl(env["AUTH_URL"]) : undefined
    const authUrlPath = authUrl && stripTrailingSlash(authUrl.pathname)
    const trustForwarded = trustsForwardedHeaders(config, env)
    const suggestsNodeEnv = options.suggestsNodeEnv === true && !env["NODE_ENV"]
    const getAuth = memoize((basePath: string) => {
      const copy = { ...config, basePath }
      setEnvDefaults(env, copy, true)
      const engine = createEngine(copy, cache, { ...options, suggestsNodeEnv })
      return createIntegratedAuth(engine, authUrl?.origin, trustForwarded)
    }, maxEngines)
    return (frameworkBasePath?: string) => {
      const basePath = frameworkBasePath ?? (authUrlPath || options.basePath)
      return getAuth(normalizeBasePath(config.basePath ?? basePath))
    }
  }

  const resolveAuth = (config: AuthConfig, env: EnvironmentVariables, basePath?: string) => {
    const resolve = resolvers.get(config) ?? createConfigResolver(config, env)
    resolvers.set(config, resolve)
    return resolve(basePath)
  }
  const checkAtStartup: AuthResolver["checkAtStartup"] = (config, env, basePath) => {
    const isUnusable = async (): Promise<boolean> => {
      let isProduction = false
      try {
        const variables = await env()
        isProduction = variables["NODE_ENV"] === "production"
        const { engine } = createConfigResolver(config, variables)(basePath) // logs the problems
        const hasProviders = engine.hasProviders || !isProduction
        if (engine.isUsable && hasProviders) return false
        // If one is listed, the log says why it is left out.
        if (!hasProviders && !config.providers?.length) throw createMissingProvidersError()
      } catch (error) {
        createLogger(config.logger, false).error(error)
      }
      return isProduction
    }
    // Once the modules of the application have run, which may set environment variables. Cloudflare Workers have no timers
    // there.
    const timer = new Promise((resolve) => setTimeout(resolve))
    const result = timer.then(isUnusable, () => false)
    return { endProcess: async () => (await result) && endProcess() }
  }
  return Object.assign(resolveAuth, { checkAtStartup })
}

function createMissingProvidersError(): InvalidOption {
  const expected = "a provider that can be used in production"
  const hint = "Add one: docs/providers.md."
  return new InvalidOption({ option: "providers", expected, received: "none", hint })
}

function normalizeBasePath(basePath: string): string {
  if (basePath.startsWith("/")) return stripTrailingSlash(basePath) || "/"
  throw new TypeError('`basePath` must be a path such as "/auth"')
}

function createIntegratedAuth(
  engine: Engine,
  origin: string | undefined,
  trustForwarded: boolean,
): IntegratedAuth {
  const resolveUrl = (request: RequestLike) => resolveRequestUrl(request, origin, trustForwarded)
  return {
    engine,
    origin,
    isBasePath: (pathname) => isBasePath(pathname, engine.basePath),
    isUnderBasePath: (pathname) => isUnderBasePath(pathname, engine.basePath),
    isActionPath: (pathname) => parseRoute(pathname, engine.basePath) !== undefined,
    resolveRequestUrl: resolveUrl,
    async handle(request, urlSource = request, clientAddress) {
      try {
        return await engine.handle(request, { url: resolveUrl(urlSource), clientAddress })
      } catch (error) {
        if (error instanceof InvalidRequest) return toResponse(createInvalidRequestResponse(error))
        throw error
      }
    },
  }
}

/** Creates the response to a request that cannot be assigned to an action. */
export function createInvalidRequestResponse({ message, status }: InvalidRequest): PlainResponse {
  return createPlainResponse(renderOutcome(jsonOutcome({ message }, status)), [])
}
