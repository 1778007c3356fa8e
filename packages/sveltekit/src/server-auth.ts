import type { ServerAuth } from "@latchkey/core"
import { createServerAuth } from "@latchkey/core/integration"
import { resolveAuth } from "./auth-context.ts"
import type { CompiledAuthConfig } from "./config.ts"
import { loadEnvironment } from "./environment.ts"

/**
 * Returns functions that read and change stored users. They do not check who may do so.
 *
 * @param config the object that you pass to `CompiledAuth`, or that your function returns
 * @example
 * const auth = getAuth(config)
 * const accounts = await auth.accounts.list(session.user.id)
 */
export function getAuth(config: CompiledAuthConfig): ServerAuth {
  return createServerAuth(async (work) =>
    resolveAuth(config, await loadEnvironment()).engine.run(work),
  )
}
