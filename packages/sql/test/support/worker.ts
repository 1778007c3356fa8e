/**
 * A worker process that runs one task on a database. It sends `ready`, waits for `go`, runs the task that its second
 * argument names, and sends the outcome.
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
  /** Tries 32 times to use one e-mail token. Returns how often it succeeded. */
  async useToken() {
    const adapter = SqlAdapter(connectTo(address))
    const key = { identifier: "a@example.test", token: "hash" }
    const attempts = Array.from({ length: 32 }, () => adapter.useVerificationToken(key))
    const outcomes = await Promise.all(attempts)
    return outcomes.filter((outcome) => outcome !== null).length
  },

  /** Tries to acquire 40 leases that other workers try to acquire, too. Returns the keys of those that it got. */
  async acquireLeases() {
    const adapter = SqlAdapter(connectTo(address))
    const lease = { holder: String(process.pid), lifetime: 60_000 }
    const keys = Array.from({ length: 40 }, (_, index) => `task ${index}`)
    const results = await Promise.all(keys.map((key) => adapter.acquireLease({ key, ...lease })))
    return keys.filter((_, index) => results[index]?.state === "granted")
  },

  /** Migrates a new database. Returns the report. */
  async migrate(): Promise<MigrationReport> {
    return migrate(connectTo(address), { userFields: { role: "text" } })
  },

  /** The same, with the tables of session records. */
  async migrateSessionRecords(): Promise<MigrationReport> {
    return migrate(connectTo(address), { sessionRecords: true })
  },

  /** Watches changes of sessions, and has nothing else to do. The process is expected to end. */
  async watchAndEnd() {
    const adapter = SqlAdapter(connectTo(address), { sessionRecords: true, notify: true })
    const ignore = () => undefined
    await adapter.watchSessionChanges?.(ignore, ignore)
    process.disconnect()
  },

  /** Creates 50 users, each with a session, and reads each back. */
  async createUsers() {
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

  /** Locks a file for 300 ms, as a process does that creates it. */
  async lockFile() {
    const database = new DatabaseSync(address)
    database.exec("begin exclusive")
    process.send?.("locked")
    await new Promise((resolve) => setTimeout(resolve, 300))
    database.exec("commit")
    return "free"
  },

  /** Kills this process, as a power failure does, before the fourth table of a migration is created. */
  async crashSqlite() {
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
  if (process.connected) process.send?.(outcome, () => process.exit())
})
process.send?.("ready")
