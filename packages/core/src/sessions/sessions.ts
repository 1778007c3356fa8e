/** The strategy that a configuration chose. */
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { createDatabaseSessions } from "./database.ts"
import { createJwtSessions } from "./jwt.ts"
import type { Sessions } from "./strategy.ts"

export function createSessions(config: ResolvedConfig): Sessions {
  const { store, session } = config
  // Without a store, the strategy `database` is a configuration problem, and no request comes this far.
  return session.strategy === "database" && store
    ? createDatabaseSessions({ ...config, store })
    : createJwtSessions(config)
}
