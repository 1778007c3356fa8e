import { afterEarlier } from "../../earlier.ts"
import type { Engine, EngineOptions, Result, Statement } from "../../engine.ts"
import { SqlError } from "../../errors.ts"
import { patiently } from "../patience.ts"
import { isBusy } from "./diagnose.ts"
import { sqliteDialect } from "./dialect.ts"
import { inTransaction, isClosed, type SqliteDatabase } from "./driver.ts"
import { StatementCache } from "./statement-cache.ts"

/**
 * An engine on one SQLite connection. The driver is synchronous, and so are transactions here: between
 * BEGIN and COMMIT nothing else can run in this thread, on this connection or on another one.
 */
export function sqliteEngine(database: SqliteDatabase, options: EngineOptions): Engine {
  const statements = new StatementCache(database)
  const check = foreignKeyCheck(database)
  const patience = { timeout: options.busyTimeout, isBusy }

  function free(): void {
    if (isClosed(database)) throw new SqlError("closed", { operation: "open" })
    check()
    if (inTransaction(database)) {
      const detail = "a transaction of the application is open on the adapter's connection"
      throw new SqlError("busy", { operation: "begin", detail })
    }
  }

  return {
    dialect: sqliteDialect,
    execute: (statement) =>
      patiently(patience, () => {
        free()
        return statements.run(statement)
      }),
    transaction: (batch) =>
      patiently(patience, () => {
        free()
        return transact(database, statements, batch)
      }),
  }
}

function transact(
  database: SqliteDatabase,
  statements: StatementCache,
  batch: readonly Statement[],
): readonly Result[] {
  // IMMEDIATE takes the write lock at once: a lock taken later can fail after work is done.
  database.exec("begin immediate")
  try {
    const results: Result[] = []
    for (const statement of batch) results.push(statements.run(afterEarlier(statement, results)))
    database.exec("commit")
    return results
  } catch (error) {
    // Some failures (a full disk) have rolled back already.
    if (inTransaction(database) !== false) database.exec("rollback")
    throw error
  }
}

/** Without foreign keys, rows of deleted users would stay: checked once, before the first statement. */
function foreignKeyCheck(database: SqliteDatabase): () => void {
  let checked = false
  return () => {
    if (checked) return
    const [row] = database.prepare("pragma foreign_keys").all()
    const enforced = Object.values(row ?? {})[0]
    if (Number(enforced) !== 1) throw new SqlError("foreign-keys-off", { operation: "open" })
    checked = true
  }
}
