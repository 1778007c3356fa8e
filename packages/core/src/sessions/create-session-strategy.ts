import type { CoreServices } from "../config/core-services.ts"
import { DatabaseStrategy } from "./database-strategy.ts"
import { JwtStrategy } from "./jwt-strategy.ts"
import type { SessionStrategy } from "./session-strategy.ts"

export function createSessionStrategy(services: CoreServices): SessionStrategy {
  const { config, store } = services
  // The strategy `database` without a store is a configuration problem: every request is refused before this matters.
  return config.session.strategy === "database" && store
    ? new DatabaseStrategy({ ...services, store })
    : new JwtStrategy(services)
}
