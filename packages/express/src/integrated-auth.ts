import { createAuthResolver, type IntegratedAuth } from "@latchkey/core/integration"
import type { MiddlewareAuthConfig } from "./config.ts"

const resolveAuth = createAuthResolver({ basePath: "/auth", suggestsNodeEnv: true })

/** Stands for the path of the mount until a request tells it. No page of an application has it. */
const unknownBasePath = "/.mount"

/** Logs the problems of a configuration when the application starts, and ends a process in production that could sign nobody in. */
export function checkConfigAtStartup(config: MiddlewareAuthConfig): void {
  resolveAuth.checkAtStartup(config, () => process.env, unknownBasePath).endProcess()
}

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
