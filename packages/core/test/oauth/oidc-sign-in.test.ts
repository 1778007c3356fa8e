import { Auth, type AuthConfig } from "@latchkey/core"
import { SqlAdapter } from "@latchkey/sql"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { expect, test } from "vitest"
import { openMigratedDatabase } from "../support/migrated-database.ts"

const secret = "0123456789abcdef0123456789abcdef"

test("OpenID Connect signs a user in, with a session in a cookie", async () => {
  const provider = await createScriptedProvider()
  const config: AuthConfig = { providers: [provider.asOidc()], secret, trustHost: true }
  const alice = createTestBrowser((request) => Auth(request, config))
  const response = await alice.signIn(provider)
  expect(response.status).toBe(302)
  expect(response.headers.get("location")).toBe("https://app.example")
  expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  await alice.signOut()
  expect(await alice.getSession()).toBeNull()
})

test("OpenID Connect signs a user in, with a session in SQLite", async () => {
  const provider = await createScriptedProvider()
  const database = openMigratedDatabase()
  const config: AuthConfig = {
    providers: [provider.asOidc()],
    secret,
    trustHost: true,
    adapter: SqlAdapter(database),
  }
  const alice = createTestBrowser((request) => Auth(request, config))
  await alice.signIn(provider)
  expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  await alice.signOut()
  expect(await alice.getSession()).toBeNull()
})
