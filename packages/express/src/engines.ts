/** Engines: a configuration compiled for a base path, once. */
import { createAuth, type LatchkeyAuth, setEnvDefaults } from "@latchkey/core"
import type { MiddlewareAuthConfig } from "./config.ts"
import { type Site, siteOf } from "./site.ts"

/** Most base paths of a configuration: a mount such as `/:tenant/auth` has as many as there are requests. */
const mostEngines = 64

interface Compiled {
  readonly site: Site
  /** By base path, the one that was used last at the end. */
  readonly engines: Map<string, LatchkeyAuth>
}

const compiled = new WeakMap<MiddlewareAuthConfig, Compiled>()

function compiledOf(config: MiddlewareAuthConfig): Compiled {
  const known = compiled.get(config)
  if (known) return known
  const made: Compiled = { site: siteOf(process.env["AUTH_URL"]), engines: new Map() }
  compiled.set(config, made)
  return made
}

/**
 * What the environment says of the address, read when a configuration is used first.
 *
 * @throws TypeError when `AUTH_URL` is no http(s) URL
 */
export function siteFor(config: MiddlewareAuthConfig): Site {
  return compiledOf(config).site
}

/** The engine for the actions under a base path. */
export function engineFor(config: MiddlewareAuthConfig, basePath: string): LatchkeyAuth {
  const { engines } = compiledOf(config)
  const engine = engines.get(basePath) ?? compile(config, basePath)
  engines.delete(basePath)
  engines.set(basePath, engine)
  for (const oldest of engines.keys()) {
    if (engines.size <= mostEngines) break
    engines.delete(oldest)
  }
  return engine
}

/** An engine to read sessions with, which do not depend on the base path. */
export function anyEngineFor(config: MiddlewareAuthConfig): LatchkeyAuth {
  const { engines, site } = compiledOf(config)
  const [engine = engineFor(config, config.basePath ?? site.basePath)] = engines.values()
  return engine
}

function compile(config: MiddlewareAuthConfig, basePath: string): LatchkeyAuth {
  const copy = { ...config, basePath }
  setEnvDefaults(process.env, copy, true)
  return createAuth(copy)
}
