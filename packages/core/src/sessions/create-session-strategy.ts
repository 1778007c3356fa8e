import type { CoreServices } from "../config/core-services.ts"
import { JwtStrategy } from "./jwt-strategy.ts"
import type { SessionStrategy } from "./session-strategy.ts"

export function createSessionStrategy(services: CoreServices): SessionStrategy {
  const { config, store } = services
  // The strategy `database` without a store is a configuration problem: every request is refused before this matters.
  if (config.session.strategy !== "database" || !store) return new JwtStrategy(services)
  // Applications with sessions in cookies never load the module.
  return loadStrategy(async () => {
    const { DatabaseStrategy } = await import("./database-strategy.ts")
    return new DatabaseStrategy({ ...services, store })
  })
}

/** Returns a strategy that loads with its first call. If loading fails, the next call tries again. */
function loadStrategy(load: () => Promise<SessionStrategy>): SessionStrategy {
  let loaded: SessionStrategy | undefined
  const use = <Result>(call: (strategy: SessionStrategy) => Promise<Result>): Promise<Result> =>
    loaded ? call(loaded) : loadAndCall(call)
  const loadAndCall = async <Result>(call: (strategy: SessionStrategy) => Promise<Result>) => {
    loaded ??= await load()
    return call(loaded)
  }
  return {
    getSessionBinding: (context) => use((strategy) => strategy.getSessionBinding(context)),
    readSession: (context) => use((strategy) => strategy.readSession(context)),
    hasSeveralUsers: (context) => use((strategy) => strategy.hasSeveralUsers(context)),
    revalidateSession: (context) => use((strategy) => strategy.revalidateSession(context)),
    startSession: (context, result) => use((strategy) => strategy.startSession(context, result)),
    endSession: (context) => use((strategy) => strategy.endSession(context)),
  }
}
