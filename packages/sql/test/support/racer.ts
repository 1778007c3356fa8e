/**
 * A process of its own that works on a database file. It says `ready`, waits for `go`, does what its second
 * argument names, and answers with the outcome.
 */
import { DatabaseSync } from "node:sqlite"
import { type MigrationReport, migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"

const [path = "", task = ""] = process.argv.slice(2)

const tasks: Readonly<Record<string, () => Promise<unknown>>> = {
  /** Tries 32 times to use one e-mail token; answers how often it got it. */
  async useToken() {
    const adapter = SqlAdapter(openSqlite(path))
    const key = { identifier: "a@example.test", token: "hash" }
    const attempts = Array.from({ length: 32 }, () => adapter.useVerificationToken(key))
    const outcomes = await Promise.all(attempts)
    return outcomes.filter((outcome) => outcome !== null).length
  },

  /** Opens a new file and migrates it; answers with the report. */
  async migrate(): Promise<MigrationReport> {
    return migrate(openSqlite(path), { userFields: { role: "text" } })
  },

  /** Creates 50 users, each with a session, and reads each back. */
  async work() {
    const adapter = SqlAdapter(openSqlite(path))
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
    const database = new DatabaseSync(path)
    database.exec("begin exclusive")
    process.send?.("locked")
    await new Promise((resolve) => setTimeout(resolve, 300))
    database.exec("commit")
    return "free"
  },

  /** Dies, as by a power failure, before the fourth table of a migration. */
  async crash() {
    const database = openSqlite(path)
    return migrate({
      exec: (sql) => database.exec(sql),
      prepare(sql) {
        if (sql.startsWith('create table "VerificationToken"')) process.kill(process.pid, "SIGKILL")
        return database.prepare(sql)
      },
    })
  },
}

process.on("message", async () => {
  const outcome = await tasks[task]?.().catch((error: unknown) => ({ failed: String(error) }))
  process.send?.(outcome, () => process.exit())
})
process.send?.("ready")
