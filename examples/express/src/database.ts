/** Stores users and sessions in the database of DATABASE_URL. Without one, sessions are cookies. */
import { RedisAdapter } from "@latchkey/redis"
import { migrate, SqlAdapter, type SqlDatabase } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"

export const adapter = await openAdapter(process.env["DATABASE_URL"] ?? "")

function openAdapter(url: string) {
  switch (url.split(":", 1)[0]) {
    case "":
      return undefined
    case "file":
      return createSqlAdapter(openSqlite(url.slice("file:".length)))
    case "postgres":
      return openPostgresAdapter(url)
    case "mysql":
      return openMysqlAdapter(url)
    case "redis":
      return openRedisAdapter(url)
    default:
      throw new TypeError("DATABASE_URL must begin with file:, postgres:, mysql: or redis:")
  }
}

async function openPostgresAdapter(connectionString: string) {
  const { default: pg } = await import("pg")
  const pool = new pg.Pool({ connectionString })
  pool.on("error", logError)
  return createSqlAdapter(pool)
}

async function openMysqlAdapter(uri: string) {
  const { createPool } = await import("mysql2/promise")
  return createSqlAdapter(createPool({ uri }))
}

async function openRedisAdapter(url: string) {
  const { createClient } = await import("redis")
  const client = createClient({ url, disableOfflineQueue: true })
  client.on("error", logError)
  await client.connect()
  return RedisAdapter(client)
}

/** Creates missing tables. Several processes may do so at the same time. */
async function createSqlAdapter(database: SqlDatabase) {
  const options = { sessionRecords: true, secondFactor: true } as const
  await migrate(database, options)
  return SqlAdapter(database, options)
}

/** The client reconnects by itself, but an error event without a listener would end the process. */
function logError(error: Error): void {
  console.error(`Database: ${error.message}`)
}
