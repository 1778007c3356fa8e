import type { AuthConfig, EnvironmentVariables } from "@latchkey/core"
import { AuthContext, createAuthResolver, type IntegratedAuth } from "@latchkey/core/integration"
import type { ReactiveAuthConfig } from "./config.ts"
import { getResponseCookies } from "./cookies.ts"
import { getClientAddress, type StartEvent } from "./event.ts"
import { getRequestAddress } from "./request-url.ts"

const resolveAuth = createAuthResolver({ basePath: "/api/auth" })

// The core does not know `prefix`, and compiles each object once.
const coreConfigs = new WeakMap<ReactiveAuthConfig, AuthConfig>()

/** Logs the problems of a configuration when the application starts. */
export function checkConfigAtStartup(config: ReactiveAuthConfig): void {
  resolveAuth.checkAtStartup(toCoreConfig(config), getEnvironment)
}

/**
 * Compiles a configuration when it is first used, with the environment at that time.
 *
 * @throws TypeError when `AUTH_URL` is not an http(s) URL, or `prefix` does not start with a slash
 */
export function getIntegratedAuth(config: ReactiveAuthConfig): IntegratedAuth {
  return resolveAuth(toCoreConfig(config), getEnvironment())
}

const getEnvironment = (): EnvironmentVariables => globalThis.process?.env ?? {}

function toCoreConfig(config: ReactiveAuthConfig): AuthConfig {
  const existing = coreConfigs.get(config)
  if (existing) return existing
  const { prefix, ...rest } = config
  const coreConfig = prefix === undefined ? rest : { ...rest, basePath: prefix }
  coreConfigs.set(config, coreConfig)
  return coreConfig
}

export function createAuthContext(event: StartEvent, config: ReactiveAuthConfig): AuthContext {
  const integratedAuth = getIntegratedAuth(config)
  const resolveUrl = () => integratedAuth.resolveRequestUrl(getRequestAddress(event))
  const { headers } = event.request
  const cookies = getResponseCookies(event)
  const clientAddress = getClientAddress(event)
  return new AuthContext(integratedAuth, { headers, resolveUrl, cookies, clientAddress })
}
