import type { ServerAuth } from "@latchkey/core"
import { createServerAuth } from "@latchkey/core/integration"
import { getIntegratedAuth, getLoadedConfig } from "./auth-context.ts"
import type { ResumableAuthConfig } from "./config.ts"
import type { QwikEvent } from "./event.ts"

/**
 * Returns functions that read and change stored users. They do not check who may do so.
 *
 * @param event any request, whose platform has the environment variables
 * @param config the object that you pass to `ResumableAuth$`, which is also the default
 * @example
 * const auth = getAuth(event)
 * const accounts = await auth.accounts.list(session.user.id)
 */
export function getAuth(event: QwikEvent, config?: ResumableAuthConfig): ServerAuth {
  return createServerAuth(async (work) =>
    getIntegratedAuth(event, config ?? (await getLoadedConfig(event))).engine.run(work),
  )
}
