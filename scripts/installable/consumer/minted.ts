/** Somebody is signed in by a test, with the session in a cookie and in a database. */
import assert from "node:assert/strict"
import { createAuth } from "@latchkey/core"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { mintSession } from "@latchkey/testing"
import { served } from "./app.ts"
import { authConfig } from "./auth.ts"

await using app = await served()
const cookie = await mintSession(authConfig, { name: "Grace" })
const answer = await fetch(`${app.origin}/members`, { headers: { cookie } })
assert.equal(await answer.text(), "Grace is a reader")

const database = openSqlite(":memory:")
await migrate(database)
const stored = { ...authConfig, providers: [], callbacks: {}, adapter: SqlAdapter(database) }
const headers = new Headers({
  cookie: await mintSession(stored, { name: "Edsger", email: "edsger@example.com" }),
})
const { session } = await createAuth(stored).session(headers, app.origin)
assert.equal(session?.user?.name, "Edsger")
