import type { AuthConfig, EnvironmentVariables } from "@latchkey/core"
import { AuthContext, createAuthResolver, type IntegratedAuth } from "@latchkey/core/integration"
import type { ReactiveAuthConfig } from "./config.ts"
import { getResponseCookies } from "./cookies.ts"
import { getClientAddress, type StartEvent } from "./event.ts"
import { getRequestAddress } from "./request-url.ts"

const resolveAuth = createAuthResolver({ basePath: "/api/auth" })

// The core does not know `prefix`, and compiles each object once.
const coreConfigs = new WeakMap<ReactiveAuthConfig, AuthConfig>()

/** Logs the problems of a configuration when its handlers are loaded: by a request, or while pages are prerendered. */
export function logConfigProblems(config: ReactiveAuthConfig): void {
  resolveAuth.checkAtStartup(toCoreConfig(config), getEnvironment)
}

/**
 * Ends a Node.js process in production, after logging why, if its configuration could sign nobody in. Call it in a plugin
 * of Nitro, which runs when the server starts. In development, it does nothing.
 *
 * @example
 * export default () => checkConfigAtStartup(config)
 */
export function checkConfigAtStartup(config: ReactiveAuthConfig): void {
  if (getEnvironment()["NODE_ENV"] !== "production") return // there, the plugin is another copy of the module
  resolveAuth.checkAtStartup(toCoreConfig(config), getEnvironment).endProcess()
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
