import { createAuthResolver, type IntegratedAuth } from "@latchkey/core/integration"
import type { MiddlewareAuthConfig } from "./config.ts"

const resolveAuth = createAuthResolver({ basePath: "/auth" })

/**
 * Compiles a configuration when it is first used, with the environment at that time.
 *
 * @param basePath the path that the middleware is mounted on
 * @throws TypeError when `AUTH_URL` is not an http(s) URL, or `basePath` does not start with a slash
 */
export function getIntegratedAuth(
  config: MiddlewareAuthConfig,
  basePath?: string | undefined,
): IntegratedAuth {
  return resolveAuth(config, process.env, basePath)
}
