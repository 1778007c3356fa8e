import { DatabaseSync } from "node:sqlite"
import { runInNewContext } from "node:vm"
import { SqlAdapter } from "@latchkey/sql"
import { expect, test } from "vitest"
import { newUser } from "./support/test-records.ts"

test("connection settings do not change the values that are read", async () => {
  const database = new DatabaseSync(":memory:", { readBigInts: true, returnArrays: true })
  const adapter = SqlAdapter(database, { migrate: true, userFields: { age: "number" } })
  const user = { ...newUser({ emailVerified: new Date(1) }), age: 7.5 }
  await adapter.createUser(user)
  expect(await adapter.getUser(user.id)).toEqual(user)
  database.close()
})

test("a driver that returns rows as objects without column names reads the same values", async () => {
  const database = new DatabaseSync(":memory:")
  const parameters = (values: unknown[]) => values as (null | number | string)[]
  const plain = {
    exec: (sql: string) => database.exec(sql),
    prepare(sql: string) {
      const statement = database.prepare(sql)
      return {
        all: (...values: unknown[]) => statement.all(...parameters(values)),
        run: (...values: unknown[]) => statement.run(...parameters(values)),
      }
    },
  }
  const adapter = SqlAdapter(plain, { migrate: true, userFields: { age: "number" } })
  const user = { ...newUser({ emailVerified: new Date(1) }), age: 7.5 }
  await adapter.createUser(user)
  expect(await adapter.getUser(user.id)).toEqual(user)
  database.close()
})

test("errors and dates of another realm are read like others", async () => {
  const failing = {
    exec: () => undefined,
    prepare: () => runInNewContext('throw new Error("no such table: User")'),
  }
  const read = async () => SqlAdapter(failing as never).getUser("u")
  await expect(read()).rejects.toMatchObject({ code: "unmigrated" })
  const database = new DatabaseSync(":memory:")
  const adapter = SqlAdapter(database, { migrate: true })
  const emailVerified: Date = runInNewContext("new Date(1)")
  const { id } = await adapter.createUser(newUser({ emailVerified }))
  expect(await adapter.getUser(id)).toMatchObject({ emailVerified: new Date(1) })
  database.close()
})
