/** A server lock that lets one process at a time change the schema of a database. */
import type { Statement, StatementResult } from "../../engine.ts"
import { SqlError } from "../../errors.ts"

type Execute = (statement: Statement) => Promise<StatementResult>

/** Lock names apply to the whole server and have at most 64 characters. */
const lockName = "concat('latchkey ', sha1(database()))"

/** In seconds. Schema changes take longer than other statements. */
const minWaitSeconds = 30
const maxWaitSeconds = 31_536_000

/** Runs work under the lock. The lock is also released when the connection ends. */
export async function runUnderMigrationLock<Value>(
  execute: Execute,
  busyTimeout: number,
  work: () => Promise<Value>,
): Promise<Value> {
  const seconds = Math.min(Math.max(minWaitSeconds, Math.ceil(busyTimeout / 1000)), maxWaitSeconds)
  const { rows } = await execute(
    createSelectStatement(`select get_lock(${lockName}, ${seconds}) as taken`),
  )
  if (Number(rows[0]?.["taken"]) !== 1) {
    const detail = `another process has been migrating for ${seconds} seconds`
    throw new SqlError("busy", { operation: "migrate", detail })
  }
  try {
    return await work()
  } finally {
    await execute(createSelectStatement(`select release_lock(${lockName}) as freed`))
  }
}

const createSelectStatement = (sql: string): Statement => ({
  sql,
  parameters: [],
  returnsRows: true,
})
