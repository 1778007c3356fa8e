/** A lock of the server under which one process at a time changes the schema of a database. */
import type { Statement, StatementResult } from "../../engine.ts"
import { SqlError } from "../../errors.ts"

type Execute = (statement: Statement) => Promise<StatementResult>

/** Names of locks count for the whole server, and are 64 characters long at most. */
const lockName = "concat('latchkey ', sha1(database()))"

/** Changing a schema takes longer than what else is waited for. In seconds. */
const minWaitSeconds = 30
const maxWaitSeconds = 31_536_000

/** Does some work under the lock. It ends with the connection, too. */
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
