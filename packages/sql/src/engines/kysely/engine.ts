import { CompiledQuery, type Kysely } from "kysely"
import { oneByOne } from "../../earlier.ts"
import type { Engine, EngineOptions, Result, Row, Statement } from "../../engine.ts"
import { SqlError } from "../../errors.ts"
import { locked } from "../mysql/lock.ts"
import { connectionCheck } from "../mysql/settings.ts"
import { persistently } from "../patience.ts"
import { dialectOf } from "./dialects.ts"
import type { KyselyDatabase } from "./driver.ts"

/** An engine on a Kysely instance of the application. Its plugins are left out: they may rename what is read. */
export function kyselyEngine(database: KyselyDatabase, options: EngineOptions): Engine {
  const dialect = dialectOf(database)
  // `isKyselyDatabase` has seen its methods, which are the same in all versions.
  const kysely = database.withoutPlugins() as Kysely<unknown>
  const patience = {
    timeout: options.busyTimeout,
    isBusy: (error: unknown) => dialect.diagnose(error).code === "busy",
  }
  const check = checkOf(dialect.name, (statement) => send(kysely, statement))

  const engine: Engine = {
    dialect,
    async execute(statement) {
      await check()
      return persistently(patience, () => send(kysely, statement))
    },
    async transaction(statements) {
      await check()
      return persistently(patience, () =>
        kysely
          .transaction()
          .execute((transaction) =>
            oneByOne(statements, (statement) => send(transaction, statement)),
          ),
      )
    },
  }
  if (dialect.transactionalDdl) return engine
  return {
    ...engine,
    async alone(work) {
      await check()
      return kysely.connection().execute((connection) => {
        const execute = (statement: Statement) => send(connection, statement)
        return locked(execute, options.busyTimeout, () => work(execute))
      })
    },
  }
}

async function send(
  connection: Pick<Kysely<unknown>, "executeQuery">,
  { sql, parameters }: Statement,
): Promise<Result> {
  const { rows, numAffectedRows, insertId } = await connection.executeQuery<Row>(
    CompiledQuery.raw(sql, [...parameters]),
  )
  return { rows, affected: Number(numAffectedRows ?? 0), insertedId: insertId }
}

type Send = (statement: Statement) => Promise<Result>

/** Looks at settings that would lose what is stored, once. */
function checkOf(name: Engine["dialect"]["name"], execute: Send): () => Promise<void> {
  if (name === "mysql") return connectionCheck(execute, { quotes: true })
  if (name === "postgres") return async () => undefined
  let checked = false
  return async () => {
    if (checked) return
    const { rows } = await execute(pragma)
    if (Number(rows[0]?.["foreign_keys"]) !== 1) {
      throw new SqlError("foreign-keys-off", { operation: "open" })
    }
    checked = true
  }
}

const pragma: Statement = { sql: "pragma foreign_keys", parameters: [], returnsRows: true }
