/** The configurations of this package, compiled. */
import { createAuthResolver, type IntegratedAuth } from "@latchkey/core/integration"
import type { MiddlewareAuthConfig } from "./config.ts"

const resolveAuth = createAuthResolver({ basePath: "/auth" })

/**
 * A configuration, compiled with the environment as it is when it is used first.
 *
 * @param basePath where the application mounted the middleware
 * @throws TypeError when `AUTH_URL` is no http(s) URL, or `basePath` does not begin with a slash
 */
export function getIntegratedAuth(
  config: MiddlewareAuthConfig,
  basePath?: string | undefined,
): IntegratedAuth {
  return resolveAuth(config, process.env, basePath)
}
