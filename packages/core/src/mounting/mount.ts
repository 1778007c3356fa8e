/** Configurations as a framework package mounts them: compiled once, under a base path, for an environment. */
import type { AuthConfig } from "../config/auth-config.ts"
import { type EnvironmentVariables, setEnvDefaults } from "../config/environment.ts"
import { createMemory, type EngineMemory } from "../engine/memory.ts"
import { createEngine, type Engine } from "../engine.ts"
import { InvalidRequest } from "../errors.ts"
import { respond } from "../http/respond.ts"
import { basePrefix, routeOf } from "../http/route.ts"
import { type Addressed, locate, trustsForwarded } from "./address.ts"
import { refusalOf } from "./refusal.ts"
import { type Site, siteOf } from "./site.ts"

/** Most base paths of a configuration: a mount such as `/:tenant/auth` has as many as there are requests. */
const mostEngines = 64

/** How a framework package mounts configurations. */
export interface MountOptions {
  /** Where neither the configuration nor `AUTH_URL` has a base path, and the framework knows none. */
  readonly basePath: string
  /**
   * The word of the browser that a page of the own origin made a request is enough; where it says nothing, the
   * token has to be there. For frameworks whose forms never carried a token.
   *
   * @defaultValue `false`
   */
  readonly ownPagesSuffice?: boolean
}

/** What a compiled configuration offers to framework packages, for servers without web objects, too. */
export type MountedAuth = Omit<Engine, "handleRaw">

/** A configuration, ready to answer requests. */
export interface Mounted {
  readonly auth: MountedAuth
  /** Scheme, host and port as `AUTH_URL` has them; undefined where a request has to tell. */
  readonly origin: string | undefined
  /** Whether a path is one of the library's: an action under the base path. */
  serves(pathname: string): boolean
  /**
   * The URL of a request as the browser sees it, with the origin that `AUTH_URL` or trusted headers name.
   *
   * @throws InvalidRequest 400 when nothing names a host, or what names it is none
   */
  locate(request: Addressed): URL
  /**
   * Answers a request to one of the actions; one whose host cannot be used with status 400.
   *
   * @param addressed what its address is told from, where the request itself does not have it right
   */
  answer(request: Request, addressed?: Addressed): Promise<Response>
}

/**
 * Mounts a configuration. The same object is compiled once for a base path, and never written to; an object that is
 * made anew with each request is compiled with each request, while what was learned of providers stays.
 *
 * @param basePath what the framework knows of it; wins over `AUTH_URL`, but not over the configuration
 * @throws TypeError when `AUTH_URL` is no http(s) URL, or the base path does not begin with a slash
 */
export type Mount = (
  config: AuthConfig,
  env: EnvironmentVariables,
  basePath?: string | undefined,
) => Mounted

interface Compiled {
  readonly site: Site
  readonly isTrusted: boolean
  /** By base path, the one that was used last at the end. */
  readonly mounts: Map<string, Mounted>
  /** The one that was used last, by its base path as it was written. */
  latest?: { readonly written: string; readonly mounted: Mounted }
}

/** Creates what mounts the configurations of a framework package. */
export function createMount({ basePath: usual, ownPagesSuffice = false }: MountOptions): Mount {
  const compiled = new WeakMap<AuthConfig, Compiled>()
  const memory = createMemory()

  function compiledOf(config: AuthConfig, env: EnvironmentVariables): Compiled {
    const known = compiled.get(config)
    if (known) return known
    const made: Compiled = {
      site: siteOf(env),
      isTrusted: trustsForwarded(config, env),
      mounts: new Map(),
    }
    compiled.set(config, made)
    return made
  }

  return (config, env, found) => {
    const known = compiledOf(config, env)
    const { site, isTrusted, mounts, latest } = known
    const written = config.basePath ?? found ?? site.basePath ?? usual
    if (latest?.written === written) return latest.mounted
    const basePath = basePathOf(written)
    const mounted =
      mounts.get(basePath) ??
      mountedOf(createOwn(config, env, basePath, { memory, ownPagesSuffice }), site, isTrusted)
    known.latest = { written, mounted }
    mounts.delete(basePath)
    mounts.set(basePath, mounted)
    for (const oldest of mounts.keys()) {
      if (mounts.size <= mostEngines) break
      mounts.delete(oldest)
    }
    return mounted
  }
}

function basePathOf(written: string): string {
  if (written.startsWith("/")) return basePrefix(written) || "/"
  throw new TypeError('`basePath` must be a path such as "/auth"')
}

function createOwn(
  config: AuthConfig,
  env: EnvironmentVariables,
  basePath: string,
  options: { readonly memory: EngineMemory; readonly ownPagesSuffice: boolean },
): MountedAuth {
  const copy = { ...config, basePath }
  setEnvDefaults(env, copy, true)
  return createEngine(copy, options)
}

function mountedOf(auth: MountedAuth, site: Site, isTrusted: boolean): Mounted {
  return {
    auth,
    origin: site.origin,
    serves: (pathname) => routeOf(pathname, auth.basePath).kind === "action",
    locate: (request) => locate(request, site, isTrusted),
    async answer(request, addressed = request) {
      let url: URL
      try {
        url = locate(addressed, site, isTrusted)
      } catch (error) {
        if (!(error instanceof InvalidRequest)) throw error
        return respond(refusalOf(error))
      }
      return auth.handle(request, url)
    },
  }
}
