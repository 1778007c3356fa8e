/** The strategy that a configuration chose. */
import type { CoreServices } from "../config/core-services.ts"
import { createDatabaseStrategy } from "./database-strategy.ts"
import { createJwtStrategy } from "./jwt-strategy.ts"
import type { SessionStrategy } from "./session-strategy.ts"

export function createSessionStrategy(services: CoreServices): SessionStrategy {
  const { config, store } = services
  // Without a store, the strategy `database` is a configuration problem, and no request comes this far.
  return config.session.strategy === "database" && store
    ? createDatabaseStrategy({ ...services, store })
    : createJwtStrategy(services)
}
