/** Creates test sessions in a cookie and in a database. */
import assert from "node:assert/strict"
import { createAuth } from "@latchkey/core"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createTestSession } from "@latchkey/testing"
import { startApp } from "./app.ts"
import { authConfig } from "./auth.ts"

await using app = await startApp()
const cookie = await createTestSession(authConfig, { name: "Grace" })
const response = await fetch(`${app.origin}/members`, { headers: { cookie } })
assert.equal(await response.text(), "Grace is a reader")

const database = openSqlite(":memory:")
await migrate(database)
const databaseConfig = {
  ...authConfig,
  providers: [],
  callbacks: {},
  adapter: SqlAdapter(database),
}
const headers = new Headers({
  cookie: await createTestSession(databaseConfig, { name: "Edsger", email: "edsger@example.com" }),
})
const { session } = await createAuth(databaseConfig).getSession({ headers, url: app.origin })
assert.equal(session?.user?.name, "Edsger")
