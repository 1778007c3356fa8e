import { oneByOne } from "../../earlier.ts"
import type { Engine, EngineOptions, Result, Row, Statement } from "../../engine.ts"
import { persistently } from "../patience.ts"
import { isBusy } from "./diagnose.ts"
import { mysqlDialect } from "./dialect.ts"
import {
  type MysqlConnection,
  type MysqlDatabase,
  type MysqlPool,
  type MysqlPoolConnection,
  type MysqlValue,
  promising,
} from "./driver.ts"
import { locked } from "./lock.ts"
import { connectionCheck } from "./settings.ts"

/**
 * An engine on a pool of MySQL or MariaDB connections. The server waits for locks by itself; what it breaks off for a
 * deadlock is tried again.
 */
export function mysqlEngine(database: MysqlDatabase, options: EngineOptions): Engine {
  const pool = promising(database)
  const patience = { timeout: options.busyTimeout, isBusy }
  const check = connectionCheck((statement) => send(pool, statement), { quotes: false })
  return {
    dialect: mysqlDialect,
    async execute(statement) {
      await check()
      return persistently(patience, () => send(pool, statement))
    },
    async transaction(statements) {
      await check()
      return persistently(patience, () => transact(pool, statements))
    },
    async alone(work) {
      await check()
      return onConnection(pool, (connection) => {
        const execute = (statement: Statement) => send(connection, statement)
        return locked(execute, options.busyTimeout, () => work(execute))
      })
    },
  }
}

function transact(pool: MysqlPool, statements: readonly Statement[]): Promise<readonly Result[]> {
  return onConnection(pool, async (connection) => {
    const execute = (statement: Statement) => send(connection, statement)
    await execute(plain("start transaction"))
    const results = await oneByOne(statements, execute)
    await execute(plain("commit"))
    return results
  })
}

/** Does some work on one connection, and takes back what it did in a transaction when it fails. */
async function onConnection<Value>(
  pool: MysqlPool,
  work: (connection: MysqlPoolConnection) => Promise<Value>,
): Promise<Value> {
  const connection = await pool.getConnection()
  try {
    const value = await work(connection)
    connection.release()
    return value
  } catch (error) {
    // A connection that cannot even do this must not be used again.
    await send(connection, plain("rollback")).then(
      () => connection.release(),
      () => connection.destroy(),
    )
    throw error
  }
}

const plain = (sql: string): Statement => ({ sql, parameters: [], returnsRows: false })

async function send(connection: MysqlConnection, statement: Statement): Promise<Result> {
  const query = {
    sql: statement.sql,
    // What codecs give for MySQL is one of these.
    values: [...statement.parameters] as MysqlValue[],
    rowsAsArray: false,
    nestTables: false,
    namedPlaceholders: false,
    typeCast: true,
  }
  // Changes of the schema cannot be prepared; nothing else comes without a value.
  const [answer] = await (query.values.length > 0
    ? connection.execute(query)
    : connection.query(query))
  if (Array.isArray(answer)) return { rows: answer as Row[], affected: 0 }
  const { affectedRows, insertId } = answer as { affectedRows: number; insertId: number }
  return { rows: [], affected: affectedRows, insertedId: insertId }
}
