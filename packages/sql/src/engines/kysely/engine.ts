import { CompiledQuery, type Kysely } from "kysely"
import type { Engine, EngineOptions, Row, Statement, StatementResult } from "../../engine.ts"
import { SqlError } from "../../errors.ts"
import { executeInOrder } from "../../statement-batch.ts"
import { createConnectionCheck } from "../mysql/connection-check.ts"
import { runUnderMigrationLock } from "../mysql/migration-lock.ts"
import { retryWhileBusy } from "../retry.ts"
import { detectDialect } from "./detect-dialect.ts"
import type { KyselyDatabase } from "./driver.ts"

/** Creates an engine on a Kysely instance of the application. Plugins are bypassed, because they may rename columns. */
export function kyselyEngine(database: KyselyDatabase, options: EngineOptions): Engine {
  const dialect = detectDialect(database)
  // `isKyselyDatabase` has checked its methods, which are the same in all versions.
  const kysely = database.withoutPlugins() as Kysely<unknown>
  const retryPolicy = {
    maxWait: options.busyTimeout,
    isBusy: (error: unknown) => dialect.diagnoseError(error).code === "busy",
  }
  const checkConnection = createConnectionSettingsCheck(dialect.name, (statement) =>
    sendStatement(kysely, statement),
  )

  const engine: Engine = {
    dialect,
    async execute(statement) {
      await checkConnection()
      return retryWhileBusy(retryPolicy, () => sendStatement(kysely, statement))
    },
    async transaction(statements) {
      await checkConnection()
      return retryWhileBusy(retryPolicy, () =>
        kysely
          .transaction()
          .execute((transaction) =>
            executeInOrder(statements, (statement) => sendStatement(transaction, statement)),
          ),
      )
    },
  }
  if (dialect.supportsTransactionalDdl) return engine
  return {
    ...engine,
    async withMigrationLock(work) {
      await checkConnection()
      return kysely.connection().execute((connection) => {
        const execute = (statement: Statement) => sendStatement(connection, statement)
        return runUnderMigrationLock(execute, options.busyTimeout, () => work(execute))
      })
    },
  }
}

async function sendStatement(
  connection: Pick<Kysely<unknown>, "executeQuery">,
  { sql, parameters }: Statement,
): Promise<StatementResult> {
  const { rows, numAffectedRows, insertId } = await connection.executeQuery<Row>(
    CompiledQuery.raw(sql, [...parameters]),
  )
  return { rows, affected: Number(numAffectedRows ?? 0), insertedId: insertId }
}

type SendStatement = (statement: Statement) => Promise<StatementResult>

/** Checks once for settings that would lose stored data. */
function createConnectionSettingsCheck(
  name: Engine["dialect"]["name"],
  execute: SendStatement,
): () => Promise<void> {
  if (name === "mysql") return createConnectionCheck(execute, { quotes: true })
  if (name === "postgres") return async () => undefined
  let checked = false
  return async () => {
    if (checked) return
    const { rows } = await execute(foreignKeysQuery)
    if (Number(rows[0]?.["foreign_keys"]) !== 1) {
      throw new SqlError("foreign-keys-off", { operation: "open" })
    }
    checked = true
  }
}

const foreignKeysQuery: Statement = {
  sql: "pragma foreign_keys",
  parameters: [],
  returnsRows: true,
}
