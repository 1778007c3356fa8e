/** One interface for pools, clients and PGlite. */
import type { Row, Statement, StatementResult } from "../../engine.ts"
import { SqlError } from "../../errors.ts"
import {
  isPglite,
  isPool,
  type PgliteDatabase,
  type PostgresClient,
  type PostgresDatabase,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresResult,
} from "./driver.ts"

type SendStatement = (statement: Statement) => Promise<StatementResult>

/** A connection or connection pool that runs statements. */
export interface PostgresConnection {
  readonly send: SendStatement
  /** Runs work in a transaction, which is rolled back if the work fails. */
  transaction<Value>(work: (send: SendStatement) => Promise<Value>): Promise<Value>
}

/** Wraps a pool, client or PGlite. */
export function wrapDatabase(database: PostgresDatabase): PostgresConnection {
  if (isPglite(database)) return wrapPglite(database)
  return isPool(database) ? wrapPool(database) : wrapClient(database)
}

function wrapPglite(database: PgliteDatabase): PostgresConnection {
  return {
    send: createSendStatement(database),
    transaction: (work) =>
      database.transaction((transaction) => work(createSendStatement(transaction))),
  }
}

function wrapPool(pool: PostgresPool): PostgresConnection {
  return {
    send: createSendStatement(pool),
    async transaction(work) {
      const client = await pool.connect()
      // If a connection breaks between two statements, the driver emits an error event, which would end the process.
      client.on("error", ignore)
      const send = createSendStatement(client)
      try {
        const value = await runInTransaction(send, work)
        client.removeListener("error", ignore)
        client.release()
        return value
      } catch (error) {
        await rollBackAndRelease(client, send)
        throw error
      }
    },
  }
}

/** If even the rollback fails, the client must not be reused. */
async function rollBackAndRelease(client: PostgresPoolClient, send: SendStatement): Promise<void> {
  const isUsable = await send(createCommand("rollback")).then(
    () => true,
    () => false,
  )
  if (isUsable) client.removeListener("error", ignore)
  client.release(!isUsable)
}

/** Statements of one client run one after another. During a transaction, others have to wait. */
function wrapClient(client: PostgresClient): PostgresConnection {
  const send = createSendStatement(client)
  let last: Promise<unknown> = Promise.resolve()

  function enqueue<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = last.then(() => {
      const status = client.getTransactionStatus?.()
      if (status === "T" || status === "E") {
        const detail = "a transaction of the application is open on the adapter's connection"
        throw new SqlError("busy", { operation: "begin", detail })
      }
      return work()
    })
    last = turn.catch(ignore)
    return turn
  }

  return {
    send: (statement) => enqueue(() => send(statement)),
    transaction: (work) =>
      enqueue(async () => {
        try {
          return await runInTransaction(send, work)
        } catch (error) {
          await send(createCommand("rollback")).catch(ignore)
          throw error
        }
      }),
  }
}

async function runInTransaction<Value>(
  send: SendStatement,
  work: (send: SendStatement) => Promise<Value>,
): Promise<Value> {
  await send(createCommand("begin"))
  const value = await work(send)
  await send(createCommand("commit"))
  return value
}

function createSendStatement(connection: {
  query(text: string, values: unknown[]): Promise<PostgresResult>
}): SendStatement {
  return async ({ sql, parameters }) => {
    const { rows, rowCount, affectedRows } = await connection.query(sql, [...parameters])
    // Rows are objects unless a statement asks for arrays, and none does.
    return { rows: rows as Row[], affected: affectedRows ?? rowCount ?? 0 }
  }
}

const createCommand = (sql: string): Statement => ({ sql, parameters: [], returnsRows: false })

function ignore(): void {}
