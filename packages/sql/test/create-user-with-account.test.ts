import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { expect, onTestFinished, test } from "vitest"

const ada = { id: "u1", name: "Ada", email: "ada@example.com", emailVerified: null }
const account = {
  userId: "u1",
  type: "oidc",
  provider: "work",
  providerAccountId: "ada",
  access_token: "at",
} as const

async function createTestAdapter() {
  const database = openSqlite(":memory:")
  onTestFinished(() => database.close())
  await migrate(database)
  const rows = (table: string) => database.prepare(`select * from "${table}"`).all()
  return { adapter: SqlAdapter(database), rows }
}

test("stores a user with an account", async () => {
  const { adapter, rows } = await createTestAdapter()
  const user = await adapter.createUserWithAccount(ada, account)
  expect(user).toEqual({ ...ada, image: null })
  const { provider, providerAccountId } = account
  expect(await adapter.getUserByAccount({ provider, providerAccountId })).toEqual(user)
  expect(rows("Account")).toMatchObject([{ userId: "u1", access_token: "at" }])
})

test("stores neither if the account exists", async () => {
  const { adapter, rows } = await createTestAdapter()
  await adapter.createUserWithAccount(ada, account)
  const other = { ...ada, id: "u2", email: "bob@example.com" }
  await expect(adapter.createUserWithAccount(other, account)).rejects.toMatchObject({
    code: "duplicate",
  })
  expect(rows("User")).toHaveLength(1)
})

test("stores neither if the address is taken", async () => {
  const { adapter, rows } = await createTestAdapter()
  await adapter.createUser(ada)
  const other = { ...account, providerAccountId: "bob" }
  await expect(adapter.createUserWithAccount({ ...ada, id: "u2" }, other)).rejects.toMatchObject({
    code: "duplicate",
  })
  expect(rows("Account")).toEqual([])
})
