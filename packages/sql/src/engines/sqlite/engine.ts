import type { Engine, EngineOptions, Statement, StatementResult } from "../../engine.ts"
import { SqlError } from "../../errors.ts"
import { resolveInsertedIds } from "../../statement-batch.ts"
import { retrySyncWhileBusy } from "../retry.ts"
import { isBusy } from "./diagnose-error.ts"
import { sqliteDialect } from "./dialect.ts"
import { isClosed, isInTransaction, type SqliteDatabase } from "./driver.ts"
import { StatementCache } from "./statement-cache.ts"

/**
 * Creates an engine on one SQLite connection. The driver is synchronous, and so are transactions: between BEGIN and
 * COMMIT, nothing else runs in this thread, on this connection or another one.
 */
export function sqliteEngine(database: SqliteDatabase, options: EngineOptions): Engine {
  const statements = new StatementCache(database)
  const checkForeignKeys = createForeignKeyCheck(database)
  const retryPolicy = { maxWait: options.busyTimeout, isBusy }

  function assertConnectionIdle(): void {
    if (isClosed(database)) throw new SqlError("closed", { operation: "open" })
    checkForeignKeys()
    if (isInTransaction(database)) {
      const detail = "a transaction of the application is open on the adapter's connection"
      throw new SqlError("busy", { operation: "begin", detail })
    }
  }

  return {
    dialect: sqliteDialect,
    execute: (statement) =>
      retrySyncWhileBusy(retryPolicy, () => {
        assertConnectionIdle()
        return statements.run(statement)
      }),
    transaction: (batch) =>
      retrySyncWhileBusy(retryPolicy, () => {
        assertConnectionIdle()
        return runTransaction(database, statements, batch)
      }),
  }
}

function runTransaction(
  database: SqliteDatabase,
  statements: StatementCache,
  batch: readonly Statement[],
): readonly StatementResult[] {
  // IMMEDIATE takes the write lock at once. Taking it later could fail in the middle of the transaction.
  database.exec("begin immediate")
  try {
    const results: StatementResult[] = []
    for (const statement of batch)
      results.push(statements.run(resolveInsertedIds(statement, results)))
    database.exec("commit")
    return results
  } catch (error) {
    // Some failures, such as a full disk, roll back by themselves.
    if (isInTransaction(database) !== false) database.exec("rollback")
    throw error
  }
}

/**
 * Checks once, before the first statement, that foreign keys are enforced. Otherwise rows of deleted users would
 * remain.
 */
function createForeignKeyCheck(database: SqliteDatabase): () => void {
  let checked = false
  return () => {
    if (checked) return
    const [row] = database.prepare("pragma foreign_keys").all()
    const enforced = Object.values(row ?? {})[0]
    if (Number(enforced) !== 1) throw new SqlError("foreign-keys-off", { operation: "open" })
    checked = true
  }
}
