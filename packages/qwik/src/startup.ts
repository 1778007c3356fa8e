import { resolveAuth } from "./auth-context.ts"
import type { ResumableAuthConfig } from "./config.ts"

/**
 * Logs the problems of a configuration, and ends a Node.js process in production if it could sign nobody in. Call it where
 * your server starts, such as `src/entry.node-server.ts`: Qwik itself loads the configuration with the first request.
 *
 * @example
 * checkConfigAtStartup(config)
 */
export function checkConfigAtStartup(config: ResumableAuthConfig): void {
  const getEnvironment = () => globalThis.process?.env ?? {}
  resolveAuth.checkAtStartup(config, getEnvironment).endProcess()
}
