import type { CoreServices, StoreServices } from "../config/core-services.ts"
import { JwtSessionReader } from "./jwt/jwt-session-reader.ts"
import type { SessionStrategy, SessionWriter } from "./session-strategy.ts"

export function createSessionStrategy(services: CoreServices): SessionStrategy {
  const { config, store } = services
  // The strategy `database` without a store is a configuration problem: every request is refused before this matters.
  return config.session.strategy === "database" && store
    ? createDatabaseStrategy({ ...services, store })
    : createJwtStrategy(services)
}

/** Sessions in a sealed cookie. What starts, changes and ends them loads with the first request that does. */
function createJwtStrategy(services: CoreServices): SessionStrategy {
  const reader = new JwtSessionReader(services)
  const use = loadOnFirstUse(async () => {
    const { JwtSessionWriter } = await import("./jwt/jwt-session-writer.ts")
    return new JwtSessionWriter(services, reader)
  })
  return {
    ...delegateWrites(use),
    readSession: (context) => reader.readSession(context),
    replaceToken: (context, token) => use((writer) => writer.replaceToken(context, token)),
    async getSessionBinding(context) {
      const read = await reader.readSession(context)
      return read.kind === "valid" ? read.userId : ""
    },
  }
}

/** Sessions in a database. Applications with sessions in cookies never load the module. */
function createDatabaseStrategy(services: StoreServices): SessionStrategy {
  const use = loadOnFirstUse(async () => {
    const { DatabaseStrategy } = await import("./database/database-strategy.ts")
    return new DatabaseStrategy(services)
  })
  return {
    ...delegateWrites(use),
    readSession: (context) => use((strategy) => strategy.readSession(context)),
    getSessionBinding: (context) => use((strategy) => strategy.getSessionBinding(context)),
  }
}

/** Calls a function with an object that loads with the first call. */
type Use<Loaded> = <Result>(call: (loaded: Loaded) => Promise<Result>) => Promise<Result>

/** If loading fails, the next call tries again. */
function loadOnFirstUse<Loaded>(load: () => Promise<Loaded>): Use<Loaded> {
  let loaded: Loaded | undefined
  const loadAndCall: Use<Loaded> = async (call) => {
    loaded ??= await load()
    return call(loaded)
  }
  return (call) => (loaded ? call(loaded) : loadAndCall(call))
}

function delegateWrites(use: Use<SessionWriter>): SessionWriter {
  return {
    hasSeveralUsers: (context) => use((writer) => writer.hasSeveralUsers(context)),
    revalidateSession: (context) => use((writer) => writer.revalidateSession(context)),
    startSession: (context, result) => use((writer) => writer.startSession(context, result)),
    endSession: (context) => use((writer) => writer.endSession(context)),
  }
}
