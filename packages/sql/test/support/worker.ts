/**
 * A process of its own that works on a database. It says `ready`, waits for `go`, does what its second
 * argument names, and answers with the outcome.
 */
import { DatabaseSync } from "node:sqlite"
import {
  type MigrationReport,
  type MysqlConnection,
  type MysqlPool,
  migrate,
  SqlAdapter,
} from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import type { Pool } from "pg"
import { connectTo } from "./connections.ts"

const [address = "", task = ""] = process.argv.slice(2)
const crashStatement = /^create table .VerificationToken/

const tasks: Readonly<Record<string, () => Promise<unknown>>> = {
  /** Tries 32 times to use one e-mail token; answers how often it got it. */
  async useToken() {
    const adapter = SqlAdapter(connectTo(address))
    const key = { identifier: "a@example.test", token: "hash" }
    const attempts = Array.from({ length: 32 }, () => adapter.useVerificationToken(key))
    const outcomes = await Promise.all(attempts)
    return outcomes.filter((outcome) => outcome !== null).length
  },

  /** Does 40 things that others do too, each if nobody else has; answers with what it did. */
  async lease() {
    const adapter = SqlAdapter(connectTo(address))
    const lease = { holder: String(process.pid), lifetime: 60_000 }
    const keys = Array.from({ length: 40 }, (_, index) => `work ${index}`)
    const answers = await Promise.all(keys.map((key) => adapter.acquireLease({ key, ...lease })))
    return keys.filter((_, index) => answers[index]?.state === "granted")
  },

  /** Migrates a new database; answers with the report. */
  async migrate(): Promise<MigrationReport> {
    return migrate(connectTo(address), { userFields: { role: "text" } })
  },

  /** Creates 50 users, each with a session, and reads each back. */
  async work() {
    const adapter = SqlAdapter(connectTo(address))
    for (let index = 0; index < 50; index += 1) {
      const id = `${process.pid}-${index}`
      await adapter.createUser({ id, email: `${id}@example.test`, emailVerified: null })
      await adapter.createSession({ sessionToken: id, userId: id, expires: new Date() })
      const found = await adapter.getSessionAndUser(id)
      if (found?.user.id !== id) throw new Error("A session was mixed up.")
    }
    return 50
  },

  /** Keeps a file locked for 300 ms, as somebody does who is just creating it. */
  async hold() {
    const database = new DatabaseSync(address)
    database.exec("begin exclusive")
    process.send?.("locked")
    await new Promise((resolve) => setTimeout(resolve, 300))
    database.exec("commit")
    return "free"
  },

  /** Dies, as by a power failure, before the fourth table of a migration. */
  async crash() {
    const database = openSqlite(address)
    return migrate({
      exec: (sql) => database.exec(sql),
      prepare(sql) {
        if (crashStatement.test(sql)) process.kill(process.pid, "SIGKILL")
        return database.prepare(sql)
      },
    })
  },

  /** The same on PostgreSQL. */
  async crashPostgres() {
    const pool = connectTo(address) as Pool
    pool.on("connect", (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown
      client.query = ((sql: string, ...args: unknown[]) => {
        if (crashStatement.test(sql)) process.kill(process.pid, "SIGKILL")
        return query(sql, ...args)
      }) as typeof client.query
    })
    return migrate(pool)
  },

  /** The same on MariaDB. */
  async crashMariadb() {
    const pool = connectTo(address) as MysqlPool
    return migrate({
      ...wrapConnection(pool),
      getConnection: async () => {
        const connection = await pool.getConnection()
        return {
          ...wrapConnection(connection),
          release: () => connection.release(),
          destroy: () => connection.destroy(),
        }
      },
    })
  },
}

function wrapConnection(connection: MysqlConnection): MysqlConnection {
  return {
    execute: (query) => connection.execute(query),
    query: async (query) => {
      if (crashStatement.test(query.sql)) process.kill(process.pid, "SIGKILL")
      return connection.query(query)
    },
  }
}

process.on("message", async () => {
  const outcome = await tasks[task]?.().catch((error: unknown) => ({ failed: String(error) }))
  process.send?.(outcome, () => process.exit())
})
process.send?.("ready")
