/** A lock of the server under which one process at a time changes the schema of a database. */
import type { Result, Statement } from "../../engine.ts"
import { SqlError } from "../../errors.ts"

type Execute = (statement: Statement) => Promise<Result>

/** Names of locks count for the whole server, and are 64 characters long at most. */
const name = "concat('latchkey ', sha1(database()))"

/** Changing a schema takes longer than what else is waited for. In seconds. */
const shortest = 30
const longest = 31_536_000

/** Does some work under the lock. It ends with the connection, too. */
export async function locked<Value>(
  execute: Execute,
  busyTimeout: number,
  work: () => Promise<Value>,
): Promise<Value> {
  const seconds = Math.min(Math.max(shortest, Math.ceil(busyTimeout / 1000)), longest)
  const { rows } = await execute(reading(`select get_lock(${name}, ${seconds}) as taken`))
  if (Number(rows[0]?.["taken"]) !== 1) {
    const detail = `another process has been migrating for ${seconds} seconds`
    throw new SqlError("busy", { operation: "migrate", detail })
  }
  try {
    return await work()
  } finally {
    await execute(reading(`select release_lock(${name}) as freed`))
  }
}

const reading = (sql: string): Statement => ({ sql, parameters: [], returnsRows: true })
