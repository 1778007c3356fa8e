/** The strategy that a configuration chose. */
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { createDatabaseStrategy } from "./database-strategy.ts"
import { createJwtStrategy } from "./jwt-strategy.ts"
import type { SessionStrategy } from "./session-strategy.ts"

export function createSessionStrategy(config: ResolvedConfig): SessionStrategy {
  const { store, session } = config
  // Without a store, the strategy `database` is a configuration problem, and no request comes this far.
  return session.strategy === "database" && store
    ? createDatabaseStrategy({ ...config, store })
    : createJwtStrategy(config)
}
