import type { Engine, EngineOptions } from "../../engine.ts"
import { executeInOrder } from "../../statement-batch.ts"
import { retryWhileBusy } from "../retry.ts"
import { wrapDatabase } from "./connection.ts"
import { isBusy } from "./diagnose-error.ts"
import { postgresDialect } from "./dialect.ts"
import type { PostgresDatabase } from "./driver.ts"

/**
 * An engine on PostgreSQL. The server waits for locks by itself; what it breaks off for a deadlock, or because two
 * serializable transactions met, is tried again.
 */
export function postgresEngine(database: PostgresDatabase, options: EngineOptions): Engine {
  const connection = wrapDatabase(database)
  const retryPolicy = { maxWait: options.busyTimeout, isBusy }
  return {
    dialect: postgresDialect,
    execute: (statement) => retryWhileBusy(retryPolicy, () => connection.send(statement)),
    transaction: (statements) =>
      retryWhileBusy(retryPolicy, () =>
        connection.transaction((send) => executeInOrder(statements, send)),
      ),
  }
}
