/** A process of its own with the audit log of docs/audit-log.md. It answers each message once the user is signed in. */
import { createAuth } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import { openSqlite } from "@latchkey/sql/sqlite"

const database = openSqlite(process.argv[2] ?? "")
const insert = database.prepare(
  "insert into audit_log (at, type, userId, facts) values (?, ?, ?, ?)",
)
const auth = createAuth({
  providers: [
    credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: String(name) }) }),
  ],
  secret: "a secret of the application, long enough: 1",
  trustHost: true,
  events: {
    security({ at, type, userId, ...facts }) {
      insert.run(at.toISOString(), type, userId ?? null, JSON.stringify(facts))
    },
  },
})

process.on("message", async (name: string) => {
  const request = { headers: new Headers(), url: "https://app.example/" }
  await auth.signIn(request, "credentials", { fields: { name } })
  process.send?.(name)
})
process.send?.("ready")
