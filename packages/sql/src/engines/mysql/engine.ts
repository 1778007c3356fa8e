import type { Engine, EngineOptions, Row, Statement, StatementResult } from "../../engine.ts"
import { executeInOrder } from "../../statement-batch.ts"
import { retryWhileBusy } from "../retry.ts"
import { createConnectionCheck } from "./connection-check.ts"
import { isBusy } from "./diagnose-error.ts"
import { mysqlDialect } from "./dialect.ts"
import {
  type MysqlConnection,
  type MysqlDatabase,
  type MysqlPool,
  type MysqlPoolConnection,
  type MysqlValue,
  toPromisePool,
} from "./driver.ts"
import { runUnderMigrationLock } from "./migration-lock.ts"

/**
 * Creates an engine on a pool of MySQL or MariaDB connections. The server waits for locks; transactions that it aborts
 * because of a deadlock are retried.
 */
export function mysqlEngine(database: MysqlDatabase, options: EngineOptions): Engine {
  const pool = toPromisePool(database)
  const retryPolicy = { maxWait: options.busyTimeout, isBusy }
  const checkConnection = createConnectionCheck((statement) => sendStatement(pool, statement), {
    quotes: false,
  })
  return {
    dialect: mysqlDialect,
    async execute(statement) {
      await checkConnection()
      return retryWhileBusy(retryPolicy, () => sendStatement(pool, statement))
    },
    async transaction(statements) {
      await checkConnection()
      return retryWhileBusy(retryPolicy, () => runTransaction(pool, statements))
    },
    async withMigrationLock(work) {
      await checkConnection()
      return withConnection(pool, (connection) => {
        const execute = (statement: Statement) => sendStatement(connection, statement)
        return runUnderMigrationLock(execute, options.busyTimeout, () => work(execute))
      })
    },
  }
}

function runTransaction(
  pool: MysqlPool,
  statements: readonly Statement[],
): Promise<readonly StatementResult[]> {
  return withConnection(pool, async (connection) => {
    const execute = (statement: Statement) => sendStatement(connection, statement)
    await execute(createCommand("start transaction"))
    const results = await executeInOrder(statements, execute)
    await execute(createCommand("commit"))
    return results
  })
}

/** Runs work on one connection, and rolls back its transaction if the work fails. */
async function withConnection<Value>(
  pool: MysqlPool,
  work: (connection: MysqlPoolConnection) => Promise<Value>,
): Promise<Value> {
  const connection = await pool.getConnection()
  try {
    const value = await work(connection)
    connection.release()
    return value
  } catch (error) {
    // If even the rollback fails, the connection must not be reused.
    await sendStatement(connection, createCommand("rollback")).then(
      () => connection.release(),
      () => connection.destroy(),
    )
    throw error
  }
}

const createCommand = (sql: string): Statement => ({ sql, parameters: [], returnsRows: false })

async function sendStatement(
  connection: MysqlConnection,
  statement: Statement,
): Promise<StatementResult> {
  const query = {
    sql: statement.sql,
    // The codecs of MySQL return only such values.
    values: [...statement.parameters] as MysqlValue[],
    rowsAsArray: false,
    nestTables: false,
    namedPlaceholders: false,
    typeCast: true,
  }
  // Schema changes cannot be prepared. No other statement lacks values.
  const [result] = await (query.values.length > 0
    ? connection.execute(query)
    : connection.query(query))
  if (Array.isArray(result)) return { rows: result as Row[], affected: 0 }
  const { affectedRows, insertId } = result as { affectedRows: number; insertId: number }
  return { rows: [], affected: affectedRows, insertedId: insertId }
}
