import { inspect } from "node:util"
import { type SqlAdapter, SqlError } from "@latchkey/sql"
import { beforeEach, describe, expect, test } from "vitest"
import {
  createAdapter,
  readTable,
  type TestDatabase,
} from "./support/database-kinds/database-kind.ts"
import { databaseKinds } from "./support/database-kinds.ts"
import { createSignedInUser, newAccount, newUser } from "./support/test-records.ts"

describe.each(databaseKinds)("unique values, on $name", (kind) => {
  let database: TestDatabase
  let adapter: SqlAdapter

  beforeEach(async () => {
    database = await kind.open()
    adapter = createAdapter(kind, database, { migrate: true })
  })

  test("a second user with the same address is refused", async () => {
    const user = await adapter.createUser(newUser())
    const again = adapter.createUser(newUser({ email: user.email }))
    await expect(again).rejects.toBeInstanceOf(SqlError)
    await expect(again).rejects.toMatchObject({ code: "duplicate", operation: "createUser" })
    expect(await adapter.getUserByEmail(user.email)).toEqual(user)
  })

  test("a second user with the same id is refused", async () => {
    const user = await adapter.createUser(newUser())
    await expect(adapter.createUser(newUser({ id: user.id }))).rejects.toMatchObject({
      code: "duplicate",
    })
  })

  test("a user cannot change to the address of another user", async () => {
    const user = await adapter.createUser(newUser())
    const other = await adapter.createUser(newUser())
    await expect(adapter.updateUser({ id: other.id, email: user.email })).rejects.toMatchObject({
      code: "duplicate",
      operation: "updateUser",
    })
    expect(await adapter.getUser(other.id)).toEqual(other)
  })

  test("of several users created concurrently with one address, one is stored", async () => {
    const attempts = Array.from({ length: 30 }, () =>
      adapter.createUser(newUser({ email: "one@example.test" })),
    )
    const outcomes = await Promise.allSettled(attempts.map(async (attempt) => await attempt))
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
  })

  test("an account belongs to exactly one user", async () => {
    const user = await adapter.createUser(newUser())
    const other = await adapter.createUser(newUser())
    const account = newAccount(user)
    await adapter.linkAccount(account)
    for (const { id } of [user, other]) {
      await expect(adapter.linkAccount({ ...account, userId: id })).rejects.toMatchObject({
        code: "duplicate",
        operation: "linkAccount",
      })
    }
    expect(await adapter.getUserByAccount(account)).toEqual(user)
  })

  test("a session token, a passkey and an e-mail token are unique", async () => {
    const { user, sessionToken } = await createSignedInUser(adapter)
    const expires = new Date("2030-01-01")
    const passkey = {
      userId: user.id,
      credentialID: "c",
      providerAccountId: "c",
      credentialPublicKey: "k",
      counter: 0,
      credentialDeviceType: "singleDevice",
      credentialBackedUp: false,
    }
    const token = { identifier: user.email, token: "hash", expires }
    await adapter.createAuthenticator(passkey)
    await adapter.createVerificationToken(token)
    const duplicate = { code: "duplicate" }
    await expect(
      adapter.createSession({ sessionToken, userId: user.id, expires }),
    ).rejects.toMatchObject(duplicate)
    await expect(adapter.createAuthenticator(passkey)).rejects.toMatchObject(duplicate)
    await expect(adapter.createVerificationToken(token)).rejects.toMatchObject(duplicate)
  })

  test("records of a missing user are refused", async () => {
    const nobody = newUser()
    const unknown = { code: "unknown-user" }
    const expires = new Date("2030-01-01")
    await expect(adapter.linkAccount(newAccount(nobody))).rejects.toMatchObject(unknown)
    await expect(
      adapter.createSession({ sessionToken: "t", userId: nobody.id, expires }),
    ).rejects.toMatchObject(unknown)
    expect(await readTable(database, "Session")).toEqual([])
  })

  test("an error names the column and keeps the driver's code, but no value", async () => {
    const user = await adapter.createUser(newUser())
    const error: unknown = await Promise.resolve(
      adapter.createUser(newUser({ email: user.email })),
    ).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ message: expect.stringMatching(/User[._]email/) })
    const codes = { mysql: "ER_DUP_ENTRY", postgres: "23505", sqlite: "ERR_SQLITE_ERROR" }
    expect(error).toHaveProperty("cause.code", codes[kind.dialect])
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(user.email)
  })
})

describe.each(databaseKinds)("users without an address, on $name", (kind) => {
  let database: TestDatabase
  let adapter: SqlAdapter

  beforeEach(async () => {
    database = await kind.open()
    adapter = createAdapter(kind, database, { migrate: true })
  })

  test("several exist, each with the empty address", async () => {
    const first = await adapter.createUser(newUser({ email: "" }))
    const second = await adapter.createUser(newUser({ email: "" }))
    expect(first.email).toBe("")
    expect(await adapter.getUser(first.id)).toEqual(first)
    expect(await adapter.getUser(second.id)).toEqual(second)
  })

  test("the empty address finds no user", async () => {
    await adapter.createUser(newUser({ email: "" }))
    expect(await adapter.getUserByEmail("")).toBeNull()
  })

  test("their address is stored as NULL, also after it was removed", async () => {
    await adapter.createUser(newUser({ email: "" }))
    const user = await adapter.createUser(newUser())
    expect(await adapter.updateUser({ id: user.id, email: "" })).toMatchObject({ email: "" })
    const emails = await readTable(database, "User")
    expect(emails.map(({ email }) => email)).toEqual([null, null])
  })

  test("deleting one keeps the e-mail tokens of others", async () => {
    const user = await adapter.createUser(newUser({ email: "" }))
    const token = { identifier: "a@example.test", token: "hash", expires: new Date("2030-01-01") }
    await adapter.createVerificationToken(token)
    await adapter.deleteUser(user.id)
    expect(await adapter.useVerificationToken(token)).toEqual(token)
  })
})
