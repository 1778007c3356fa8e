/** One way to send statements, whatever the database was given as. */
import type { Result, Row, Statement } from "../../engine.ts"
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

/** Sends one statement. */
type Send = (statement: Statement) => Promise<Result>

/** Where statements go. */
export interface Source {
  readonly send: Send
  /** Does some work in a transaction, which is taken back when the work fails. */
  transact<Value>(work: (send: Send) => Promise<Value>): Promise<Value>
}

/** Finds out what the database was given as. */
export function sourceOf(database: PostgresDatabase): Source {
  if (isPglite(database)) return pgliteSource(database)
  return isPool(database) ? poolSource(database) : clientSource(database)
}

function pgliteSource(database: PgliteDatabase): Source {
  return {
    send: sender(database),
    transact: (work) => database.transaction((transaction) => work(sender(transaction))),
  }
}

function poolSource(pool: PostgresPool): Source {
  return {
    send: sender(pool),
    async transact(work) {
      const client = await pool.connect()
      // A connection that breaks between two statements says so by an event, which would end the process.
      client.on("error", ignore)
      const send = sender(client)
      try {
        const value = await inTransaction(send, work)
        client.removeListener("error", ignore)
        client.release()
        return value
      } catch (error) {
        await giveBack(client, send)
        throw error
      }
    },
  }
}

/** A client that cannot take back its transaction must not be used again. */
async function giveBack(client: PostgresPoolClient, send: Send): Promise<void> {
  const usable = await send(plain("rollback")).then(
    () => true,
    () => false,
  )
  if (usable) client.removeListener("error", ignore)
  client.release(!usable)
}

/** Statements of one client follow one another; those of a transaction must not let others in between. */
function clientSource(client: PostgresClient): Source {
  const send = sender(client)
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
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
    send: (statement) => inTurn(() => send(statement)),
    transact: (work) =>
      inTurn(async () => {
        try {
          return await inTransaction(send, work)
        } catch (error) {
          await send(plain("rollback")).catch(ignore)
          throw error
        }
      }),
  }
}

async function inTransaction<Value>(
  send: Send,
  work: (send: Send) => Promise<Value>,
): Promise<Value> {
  await send(plain("begin"))
  const value = await work(send)
  await send(plain("commit"))
  return value
}

function sender(connection: {
  query(text: string, values: unknown[]): Promise<PostgresResult>
}): Send {
  return async ({ sql, parameters }) => {
    const { rows, rowCount, affectedRows } = await connection.query(sql, [...parameters])
    // Rows are objects unless a statement asks for arrays, and none does.
    return { rows: rows as Row[], affected: affectedRows ?? rowCount ?? 0 }
  }
}

const plain = (sql: string): Statement => ({ sql, parameters: [], returnsRows: false })

function ignore(): void {}
