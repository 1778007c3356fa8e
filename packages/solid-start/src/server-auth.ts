import type { ServerAuth } from "@latchkey/core"
import { createServerAuth } from "@latchkey/core/integration"
import type { ReactiveAuthConfig } from "./config.ts"
import { getIntegratedAuth } from "./integrated-auth.ts"
import { sanitizeAsyncErrors } from "./sanitize-errors.ts"

/**
 * Returns functions that read and change stored users. They do not check who may do so.
 *
 * @param config the object that you pass to the route
 * @example
 * const auth = getAuth(config)
 * const accounts = await auth.accounts.list(session.user.id)
 */
export function getAuth(config: ReactiveAuthConfig): ServerAuth {
  return createServerAuth(async (work) =>
    sanitizeAsyncErrors(getIntegratedAuth(config).engine.run(work)),
  )
}
