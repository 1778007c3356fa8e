import { oneByOne } from "../../earlier.ts"
import type { Engine, EngineOptions } from "../../engine.ts"
import { persistently } from "../patience.ts"
import { isBusy } from "./diagnose.ts"
import { postgresDialect } from "./dialect.ts"
import type { PostgresDatabase } from "./driver.ts"
import { sourceOf } from "./source.ts"

/**
 * An engine on PostgreSQL. The server waits for locks by itself; what it breaks off for a deadlock, or because two
 * serializable transactions met, is tried again.
 */
export function postgresEngine(database: PostgresDatabase, options: EngineOptions): Engine {
  const source = sourceOf(database)
  const patience = { timeout: options.busyTimeout, isBusy }
  return {
    dialect: postgresDialect,
    execute: (statement) => persistently(patience, () => source.send(statement)),
    transaction: (statements) =>
      persistently(patience, () => source.transact((send) => oneByOne(statements, send))),
  }
}
