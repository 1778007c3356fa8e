import type { Engine, EngineOptions } from "../../engine.ts"
import { executeInOrder } from "../../statement-batch.ts"
import { retryWhileBusy } from "../retry.ts"
import { wrapDatabase } from "./connection.ts"
import { isBusy } from "./diagnose-error.ts"
import { postgresDialect } from "./dialect.ts"
import { isPool, type PostgresDatabase } from "./driver.ts"

/**
 * Creates an engine on PostgreSQL. The server waits for locks; transactions that it aborts because of a deadlock or a
 * serialization failure are retried.
 */
export function postgresEngine(database: PostgresDatabase, options: EngineOptions): Engine {
  const connection = wrapDatabase(database)
  const retryPolicy = { maxWait: options.busyTimeout, isBusy }
  return {
    dialect: postgresDialect,
    execute: (statement) =>
      statement.isRepeatable === false
        ? connection.send(statement)
        : retryWhileBusy(retryPolicy, () => connection.send(statement)),
    transaction: (statements) =>
      retryWhileBusy(retryPolicy, () =>
        connection.transaction((send) => executeInOrder(statements, send)),
      ),
    ...(isPool(database) && {
      listen: async (table, handlers) =>
        (await import("./listen.ts")).listen(database, table, handlers),
    }),
  }
}
