import type { CoreServices, StoreServices } from "../config/core-services.ts"
import { loadOnFirstCall } from "../load-on-first-call.ts"
import { createJwtStrategy } from "./jwt/strategy.ts"
import type { SessionStrategy } from "./session-strategy.ts"

export function createSessionStrategy(services: CoreServices): SessionStrategy {
  const { config, store } = services
  // The strategy `database` without a store is a configuration error: every request is refused before this matters.
  return config.session.strategy === "database" && store
    ? loadDatabaseStrategy({ ...services, store })
    : createJwtStrategy(services)
}

/** Sessions in a database. Applications with sessions in cookies never load the module. */
function loadDatabaseStrategy(services: StoreServices): SessionStrategy {
  return loadOnFirstCall(async () => {
    const { createDatabaseStrategy } = await import("./database/strategy.ts")
    return createDatabaseStrategy(services)
  })
}
