import type { ServerAuth } from "@latchkey/core"
import { createServerAuth } from "@latchkey/core/integration"
import type { MiddlewareAuthConfig } from "./config.ts"
import { getIntegratedAuth } from "./integrated-auth.ts"

/**
 * Returns functions that read and change stored users. They do not check who may do so.
 *
 * @param config the object that you pass to the middleware
 * @example
 * const auth = getAuth(config)
 * const accounts = await auth.accounts.list(session.user.id)
 */
export function getAuth(config: MiddlewareAuthConfig): ServerAuth {
  return createServerAuth(async (work) => getIntegratedAuth(config).engine.run(work))
}
