import { Auth, type AuthConfig } from "@latchkey/core"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { browser, scriptedProvider } from "@latchkey/testing"
import { expect, test } from "vitest"

const secret = "0123456789abcdef0123456789abcdef"

test("signs a person in with OpenID Connect, session in a cookie", async () => {
  const provider = await scriptedProvider()
  const config: AuthConfig = { providers: [provider.asOidc()], secret, trustHost: true }
  const alice = browser((request) => Auth(request, config))
  const answer = await alice.signIn(provider)
  expect(answer.status).toBe(302)
  expect(answer.headers.get("location")).toBe("https://app.example")
  expect(await alice.session()).toMatchObject({ user: { email: "ada@example.com" } })
  await alice.signOut()
  expect(await alice.session()).toBeNull()
})

test("signs a person in with OpenID Connect, session in SQLite", async () => {
  const provider = await scriptedProvider()
  const database = openSqlite(":memory:")
  await migrate(database)
  const config: AuthConfig = {
    providers: [provider.asOidc()],
    secret,
    trustHost: true,
    adapter: SqlAdapter(database),
  }
  const alice = browser((request) => Auth(request, config))
  await alice.signIn(provider)
  expect(await alice.session()).toMatchObject({ user: { email: "ada@example.com" } })
  await alice.signOut()
  expect(await alice.session()).toBeNull()
})
