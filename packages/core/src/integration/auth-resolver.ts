/** Configurations as a framework package mounts them: compiled once, under a base path, for an environment. */
import type { AuthConfig } from "../config/auth-config.ts"
import { type EnvironmentVariables, setEnvDefaults } from "../config/environment.ts"
import { createEngineCache, type EngineCache } from "../engine/engine-cache.ts"
import { createEngine, type Engine } from "../engine.ts"
import { InvalidRequest } from "../errors.ts"
import { toResponse } from "../http/plain-response.ts"
import { parseRoute, stripTrailingSlash } from "../http/route.ts"
import { type AuthUrl, parseAuthUrl } from "./auth-url.ts"
import { createInvalidRequestResponse } from "./invalid-request.ts"
import { type RequestLike, resolveRequestUrl, trustsForwardedHeaders } from "./request-url.ts"

/** Most base paths of a configuration: a mount such as `/:tenant/auth` has as many as there are requests. */
const maxEngines = 64

/** How a framework package mounts configurations. */
export interface IntegrationOptions {
  /** Where neither the configuration nor `AUTH_URL` has a base path, and the framework knows none. */
  readonly basePath: string
  /**
   * The word of the browser that a page of the own origin made a request is enough; where it says nothing, the
   * token has to be there. For frameworks whose forms never carried a token.
   *
   * @defaultValue `false`
   */
  readonly trustSameOrigin?: boolean
}

/** What a compiled configuration offers to framework packages, for servers without web objects, too. */
export type IntegrationEngine = Omit<Engine, "handleRaw">

/** A configuration, ready to answer requests. */
export interface IntegratedAuth {
  readonly engine: IntegrationEngine
  /** Scheme, host and port as `AUTH_URL` has them; undefined where a request has to tell. */
  readonly origin: string | undefined
  /** Whether a path is one of the library's: an action under the base path. */
  isActionPath(pathname: string): boolean
  /**
   * The URL of a request as the browser sees it, with the origin that `AUTH_URL` or trusted headers name.
   *
   * @throws InvalidRequest 400 when nothing names a host, or what names it is none
   */
  resolveRequestUrl(request: RequestLike): URL
  /**
   * Answers a request to one of the actions; one whose host cannot be used with status 400.
   *
   * @param urlSource what its address is told from, where the request itself does not have it right
   */
  handle(request: Request, urlSource?: RequestLike): Promise<Response>
}

/**
 * Mounts a configuration. The same object is compiled once for a base path, and never written to; an object that is
 * made anew with each request is compiled with each request, while what was learned of providers stays.
 *
 * @param basePath what the framework knows of it; wins over `AUTH_URL`, but not over the configuration
 * @throws TypeError when `AUTH_URL` is no http(s) URL, or the base path does not begin with a slash
 */
export type AuthResolver = (
  config: AuthConfig,
  env: EnvironmentVariables,
  basePath?: string | undefined,
) => IntegratedAuth

interface CompiledConfig {
  readonly authUrl: AuthUrl
  readonly isProxyTrusted: boolean
  /** By base path, the one that was used last at the end. */
  readonly authByBasePath: Map<string, IntegratedAuth>
  /** The one that was used last, by its base path as it was written. */
  latest?: { readonly requestedBasePath: string; readonly auth: IntegratedAuth }
}

/** Creates what mounts the configurations of a framework package. */
export function createAuthResolver({
  basePath: defaultBasePath,
  trustSameOrigin = false,
}: IntegrationOptions): AuthResolver {
  const compiledConfigs = new WeakMap<AuthConfig, CompiledConfig>()
  const cache = createEngineCache()

  function getCompiledConfig(config: AuthConfig, env: EnvironmentVariables): CompiledConfig {
    const cached = compiledConfigs.get(config)
    if (cached) return cached
    const compiledConfig: CompiledConfig = {
      authUrl: parseAuthUrl(env),
      isProxyTrusted: trustsForwardedHeaders(config, env),
      authByBasePath: new Map(),
    }
    compiledConfigs.set(config, compiledConfig)
    return compiledConfig
  }

  return (config, env, frameworkBasePath) => {
    const compiledConfig = getCompiledConfig(config, env)
    const { authUrl, isProxyTrusted, authByBasePath, latest } = compiledConfig
    const requestedBasePath =
      config.basePath ?? frameworkBasePath ?? authUrl.basePath ?? defaultBasePath
    if (latest?.requestedBasePath === requestedBasePath) return latest.auth
    const basePath = normalizeBasePath(requestedBasePath)
    const auth =
      authByBasePath.get(basePath) ??
      createIntegratedAuth(
        compileEngine(config, env, basePath, { cache, trustSameOrigin }),
        authUrl,
        isProxyTrusted,
      )
    compiledConfig.latest = { requestedBasePath, auth }
    authByBasePath.delete(basePath)
    authByBasePath.set(basePath, auth)
    for (const oldest of authByBasePath.keys()) {
      if (authByBasePath.size <= maxEngines) break
      authByBasePath.delete(oldest)
    }
    return auth
  }
}

function normalizeBasePath(basePath: string): string {
  if (basePath.startsWith("/")) return stripTrailingSlash(basePath) || "/"
  throw new TypeError('`basePath` must be a path such as "/auth"')
}

function compileEngine(
  config: AuthConfig,
  env: EnvironmentVariables,
  basePath: string,
  options: { readonly cache: EngineCache; readonly trustSameOrigin: boolean },
): IntegrationEngine {
  const copy = { ...config, basePath }
  setEnvDefaults(env, copy, true)
  return createEngine(copy, options)
}

function createIntegratedAuth(
  engine: IntegrationEngine,
  authUrl: AuthUrl,
  isProxyTrusted: boolean,
): IntegratedAuth {
  return {
    engine,
    origin: authUrl.origin,
    isActionPath: (pathname) => parseRoute(pathname, engine.basePath).kind === "action",
    resolveRequestUrl: (request) => resolveRequestUrl(request, authUrl, isProxyTrusted),
    async handle(request, urlSource = request) {
      let url: URL
      try {
        url = resolveRequestUrl(urlSource, authUrl, isProxyTrusted)
      } catch (error) {
        if (!(error instanceof InvalidRequest)) throw error
        return toResponse(createInvalidRequestResponse(error))
      }
      return engine.handle(request, url)
    },
  }
}
