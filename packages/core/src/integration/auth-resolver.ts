/** Compiles the configurations of a framework package once for each base path. */
import { parseEnvUrl } from "../config/action-url.ts"
import type { AuthConfig } from "../config/auth-config.ts"
import { type EnvironmentVariables, setEnvDefaults } from "../config/environment.ts"
import { createEngine, createEngineCache, type Engine } from "../engine.ts"
import { InvalidRequest } from "../errors.ts"
import { toResponse } from "../http/plain-response.ts"
import { parseRoute, stripTrailingSlash } from "../http/route.ts"
import { createInvalidRequestResponse } from "./invalid-request.ts"
import { type RequestLike, resolveRequestUrl, trustsForwardedHeaders } from "./request-url.ts"

/** The most base paths to keep for a configuration. A route such as `/:tenant/auth` has any number of them. */
const maxEngines = 64

/** How a framework package uses configurations. */
export interface IntegrationOptions {
  /** The base path if neither the configuration, the framework nor `AUTH_URL` has one. */
  readonly basePath: string
  /**
   * Accepts a request without a CSRF token if the browser says that a page of the same origin made it. Otherwise the
   * token is required. For frameworks whose forms never carried one.
   *
   * @defaultValue `false`
   */
  readonly trustSameOrigin?: boolean
}

/** A compiled configuration, with methods for servers without web objects. */
export type IntegrationEngine = Omit<Engine, "handleRaw">

/** A compiled configuration under a base path. */
export interface IntegratedAuth {
  readonly engine: IntegrationEngine
  /** Scheme, host and port of `AUTH_URL`; undefined if requests decide. */
  readonly origin: string | undefined
  /** Whether a path is that of an action under the base path. */
  isActionPath(pathname: string): boolean
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
   */
  handle(request: Request, urlSource?: RequestLike): Promise<Response>
}

/**
 * Compiles a configuration, without writing to it. The same object is compiled once for each base path. An object that is
 * created for each request is compiled each time; only the metadata of providers is kept.
 *
 * @param basePath as the framework knows it; wins over `AUTH_URL`, but not over the configuration
 * @throws TypeError when `AUTH_URL` is not an http(s) URL, or the base path does not start with a slash
 */
export type AuthResolver = (
  config: AuthConfig,
  env: EnvironmentVariables,
  basePath?: string | undefined,
) => IntegratedAuth

interface CompiledConfig {
  readonly authUrl: URL | undefined
  readonly trustForwarded: boolean
  /** By base path, with the most recently used one last. */
  readonly authByBasePath: Map<string, IntegratedAuth>
}

/** Creates the resolver of a framework package. */
export function createAuthResolver(options: IntegrationOptions): AuthResolver {
  const { basePath: defaultBasePath, trustSameOrigin = false } = options
  const compiledConfigs = new WeakMap<AuthConfig, CompiledConfig>()
  const cache = createEngineCache()

  return (config, env, frameworkBasePath) => {
    let compiled = compiledConfigs.get(config)
    if (!compiled) {
      compiled = {
        authUrl: env["AUTH_URL"] ? parseEnvUrl(env["AUTH_URL"]) : undefined,
        trustForwarded: trustsForwardedHeaders(config, env),
        authByBasePath: new Map(),
      }
      compiledConfigs.set(config, compiled)
    }
    const { authUrl, authByBasePath } = compiled
    const authUrlPath = authUrl && stripTrailingSlash(authUrl.pathname)
    const basePath = normalizeBasePath(
      config.basePath ?? frameworkBasePath ?? (authUrlPath || defaultBasePath),
    )
    let auth = authByBasePath.get(basePath)
    if (!auth) {
      const copy = { ...config, basePath }
      setEnvDefaults(env, copy, true)
      auth = createIntegratedAuth(createEngine(copy, cache, trustSameOrigin), compiled)
    }
    authByBasePath.delete(basePath)
    authByBasePath.set(basePath, auth)
    const [oldest = basePath] = authByBasePath.keys()
    if (authByBasePath.size > maxEngines) authByBasePath.delete(oldest)
    return auth
  }
}

function normalizeBasePath(basePath: string): string {
  if (basePath.startsWith("/")) return stripTrailingSlash(basePath) || "/"
  throw new TypeError('`basePath` must be a path such as "/auth"')
}

function createIntegratedAuth(
  engine: IntegrationEngine,
  { authUrl, trustForwarded }: CompiledConfig,
): IntegratedAuth {
  const origin = authUrl?.origin
  return {
    engine,
    origin,
    isActionPath: (pathname) => parseRoute(pathname, engine.basePath) !== undefined,
    resolveRequestUrl: (request) => resolveRequestUrl(request, origin, trustForwarded),
    async handle(request, urlSource = request) {
      try {
        return await engine.handle(request, resolveRequestUrl(urlSource, origin, trustForwarded))
      } catch (error) {
        if (!(error instanceof InvalidRequest)) throw error
        return toResponse(createInvalidRequestResponse(error))
      }
    },
  }
}
