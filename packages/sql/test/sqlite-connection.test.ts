import { DatabaseSync } from "node:sqlite"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { describe, expect, test } from "vitest"
import { createTemporaryFile, openTestDatabase } from "./support/sqlite-files.ts"
import { createSignedInUser, newUser } from "./support/test-records.ts"

describe("a transaction of the application on the adapter's connection", () => {
  test("delays the adapter, whose changes survive a rollback", async () => {
    const database = openTestDatabase(":memory:")
    const adapter = SqlAdapter(database, { migrate: true })
    const { sessionToken } = await createSignedInUser(adapter)
    database.exec("begin")
    database.exec('delete from "User"')
    const signedOut = adapter.deleteSession(sessionToken)
    const created = adapter.createUser(newUser({ id: "new" }))
    const read = adapter.getSessionAndUser("unknown")
    await new Promise((resolve) => setTimeout(resolve, 30))
    database.exec("rollback")
    expect(await signedOut).not.toBeNull()
    expect(await created).toMatchObject({ id: "new" })
    expect(await read).toBeNull()
    expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
    expect(database.prepare('select id from "User"').all()).toHaveLength(2)
  })

  test("delays the adapter no longer than the timeout", async () => {
    const database = openTestDatabase(":memory:")
    await migrate(database)
    const adapter = SqlAdapter(database, { busyTimeout: 20 })
    database.exec("begin")
    const refused = adapter.createUser(newUser())
    await expect(refused).rejects.toMatchObject({ code: "busy", operation: "createUser" })
    await expect(refused).rejects.toThrow("a transaction of the application is open")
    await expect(adapter.deleteUser("x")).rejects.toMatchObject({ code: "busy" })
    database.exec("rollback")
    expect(await adapter.getUser("x")).toBeNull()
  })
})

describe("a lock of another connection", () => {
  test("is awaited without blocking the thread that holds it", async () => {
    const path = createTemporaryFile()
    const adapter = SqlAdapter(openTestDatabase(path), { migrate: true })
    await adapter.getUser("x")
    const other = openTestDatabase(path)
    other.exec("begin immediate")
    const created = adapter.createUser(newUser({ id: "new" }))
    await new Promise((resolve) => setTimeout(resolve, 30))
    other.exec("commit")
    expect(await created).toMatchObject({ id: "new" })
  })

  test("does not delay a session check", async () => {
    const path = createTemporaryFile()
    const adapter = SqlAdapter(openTestDatabase(path), { migrate: true, busyTimeout: 0 })
    const { sessionToken, user } = await createSignedInUser(adapter)
    const other = openTestDatabase(path)
    other.exec("begin immediate")
    expect(await adapter.getSessionAndUser(sessionToken)).toMatchObject({ user })
    other.exec("rollback")
  })

  test("makes the call reject after the timeout", async () => {
    const path = createTemporaryFile()
    const database = openTestDatabase(path)
    await migrate(database)
    const adapter = SqlAdapter(database, { busyTimeout: 20 })
    const other = openTestDatabase(path)
    other.exec("begin immediate")
    const refused = adapter.createUser(newUser())
    await expect(refused).rejects.toMatchObject({ code: "busy", operation: "createUser" })
    await expect(refused).rejects.toThrow("createUser: another connection holds")
    await expect(adapter.deleteUser("x")).resolves.toBeNull()
    other.exec("rollback")
    expect(await adapter.createUser(newUser({ id: "later" }))).toMatchObject({ id: "later" })
  })
})

describe("the connection", () => {
  test("rejects calls while it is closed, and works again after it is reopened", async () => {
    const database = openTestDatabase(createTemporaryFile())
    const adapter = SqlAdapter(database, { migrate: true })
    const { sessionToken, user } = await createSignedInUser(adapter)
    expect(await adapter.getSessionAndUser(sessionToken)).not.toBeNull()
    database.close()
    const refused = { code: "closed" }
    await expect(adapter.getSessionAndUser(sessionToken)).rejects.toMatchObject(refused)
    await expect(adapter.createUser(newUser())).rejects.toThrow(
      "createUser: the connection is closed",
    )
    await expect(adapter.deleteUser(user.id)).rejects.toMatchObject(refused)
    await expect(migrate(database)).rejects.toMatchObject(refused)
    database.open()
    expect(await adapter.getSessionAndUser(sessionToken)).toMatchObject({ user })
  })

  test("must enforce foreign keys", async () => {
    const database = new DatabaseSync(":memory:", { enableForeignKeyConstraints: false })
    const adapter = SqlAdapter(database, { migrate: true })
    const refused = adapter.getUser("x")
    await expect(refused).rejects.toMatchObject({ code: "foreign-keys-off" })
    await expect(refused).rejects.toThrow("PRAGMA foreign_keys = ON")
    database.exec("pragma foreign_keys = on")
    expect(await adapter.getUser("x")).toBeNull()
    database.close()
  })

  test("allows session checks and rejects changes if it is read-only", async () => {
    const path = createTemporaryFile()
    const { sessionToken, user } = await createSignedInUser(
      SqlAdapter(openTestDatabase(path), { migrate: true }),
    )
    const database = new DatabaseSync(path, { readOnly: true })
    const adapter = SqlAdapter(database)
    expect(await adapter.getSessionAndUser(sessionToken)).toMatchObject({ user })
    await expect(adapter.deleteSession(sessionToken)).rejects.toMatchObject({ code: "failed" })
    database.close()
  })

  test("supports more kinds of updates than are cached", async () => {
    const fields = Array.from({ length: 8 }, (_, index) => `field${index}`)
    const userFields = Object.fromEntries(fields.map((field) => [field, "number" as const]))
    const adapter = SqlAdapter(openTestDatabase(":memory:"), { migrate: true, userFields })
    const { id } = await adapter.createUser(newUser())
    for (let kind = 0; kind < 256; kind += 1) {
      const changedFields = fields.filter((_, index) => kind & (1 << index))
      const changes = Object.fromEntries(changedFields.map((field) => [field, kind]))
      expect(await adapter.updateUser({ id, ...changes })).toMatchObject(changes)
    }
    expect(await adapter.updateUser({ id, field0: 0.5 } as object as { id: string })).toMatchObject(
      {
        field0: 0.5,
        field1: 255,
      },
    )
  })

  test("prepares the session check once", async () => {
    const database = openTestDatabase(":memory:")
    await migrate(database)
    const prepared: string[] = []
    const adapter = SqlAdapter({
      exec: (sql) => database.exec(sql),
      prepare: (sql) => {
        prepared.push(sql)
        return database.prepare(sql)
      },
    })
    for (let index = 0; index < 100; index += 1) await adapter.getSessionAndUser(`t${index}`)
    // The others check the connection, and the columns of five tables.
    expect(prepared).toHaveLength(7)
    expect(prepared.filter((sql) => sql.includes("inner join"))).toHaveLength(1)
  })
})
