/** The configurations of this package, compiled. */
import type { AuthConfig } from "@latchkey/core"
import { createAuthResolver, type IntegratedAuth } from "@latchkey/core/integration"
import type { ReactiveAuthConfig } from "./config.ts"

const resolveAuth = createAuthResolver({ basePath: "/api/auth" })

// The core compiles an object once, and knows no `prefix`.
const coreConfigs = new WeakMap<ReactiveAuthConfig, AuthConfig>()

/**
 * A configuration, compiled with the environment as it is when it is used first.
 *
 * @throws TypeError when `AUTH_URL` is no http(s) URL, or `prefix` does not begin with a slash
 */
export function getIntegratedAuth(config: ReactiveAuthConfig): IntegratedAuth {
  return resolveAuth(toCoreConfig(config), globalThis.process?.env ?? {})
}

function toCoreConfig(config: ReactiveAuthConfig): AuthConfig {
  const existing = coreConfigs.get(config)
  if (existing) return existing
  const { prefix, ...rest } = config
  const coreConfig = prefix === undefined ? rest : { ...rest, basePath: prefix }
  coreConfigs.set(config, coreConfig)
  return coreConfig
}
