import { migrate } from "@latchkey/sql"
import { describe, expect, test } from "vitest"
import type { Statement } from "../src/engine.ts"
import { openEngine } from "../src/engines/open-engine.ts"
import {
  createAdapter,
  type DatabaseKind,
  readTable,
} from "./support/database-kinds/database-kind.ts"
import { databaseKindsWithKysely } from "./support/database-kinds.ts"
import { createSignedInUser } from "./support/test-records.ts"

const insertions = {
  mysql: "insert into `User` (id) values (?)",
  postgres: 'insert into "User" (id) values ($1)',
  sqlite: 'insert into "User" (id) values (?)',
} as const

const insertionFor =
  ({ dialect }: DatabaseKind) =>
  (id: string): Statement => ({ sql: insertions[dialect], parameters: [id], returnsRows: false })

describe.each(databaseKindsWithKysely)("transactions, on $name", (kind) => {
  const insertion = insertionFor(kind)

  test("are applied completely or not at all", async () => {
    const opened = await kind.open()
    await migrate(opened.database)
    const engine = openEngine(opened.database, { busyTimeout: 0 })
    const failing = async () => engine.transaction([insertion("a"), insertion("b"), insertion("a")])
    await expect(failing()).rejects.toThrow(/unique|duplicate/i)
    expect(await readTable(opened, "User")).toEqual([])
    await engine.transaction([insertion("a"), insertion("b")])
    expect(await readTable(opened, "User")).toHaveLength(2)
  })

  test("are isolated from concurrent statements", async () => {
    const opened = await kind.open()
    await migrate(opened.database)
    const engine = openEngine(opened.database, { busyTimeout: 1000 })
    const work = Array.from({ length: 50 }, async (_, index) => {
      const batch = [insertion(`x${index}`), insertion(`y${index}`), insertion(`x${index}`)]
      const transaction = async () => engine.transaction(batch)
      await Promise.all([
        expect(transaction()).rejects.toThrow(/unique|duplicate/i),
        engine.execute(insertion(`alone${index}`)),
      ])
    })
    await Promise.all(work)
    const ids = await readTable(opened, "User")
    expect(ids).toHaveLength(50)
    expect(ids.every(({ id }) => String(id).startsWith("alone"))).toBe(true)
  })

  test("a failed deletion of a user deletes nothing", async () => {
    const opened = await kind.open()
    const adapter = createAdapter(kind, opened, { migrate: true })
    const { user, sessionToken } = await createSignedInUser(adapter)
    const token = { identifier: user.email, token: "hash", expires: new Date("2030-01-01") }
    await adapter.createVerificationToken(token)
    await opened.query(orders[kind.dialect])
    await opened.query(`insert into "Order" values (?)`, user.id)

    await expect(adapter.deleteUser(user.id)).rejects.toMatchObject({ operation: "deleteUser" })

    expect(await adapter.getSessionAndUser(sessionToken)).toMatchObject({ user })
    expect(await adapter.useVerificationToken(token)).toEqual(token)
  })
})

/** Creates a table of the application with a foreign key that prevents users from being deleted. */
const orders = {
  mysql:
    'create table "Order" (buyer varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin references "User" (id))',
  postgres: 'create table "Order" (buyer text references "User" (id))',
  sqlite: 'create table "Order" (buyer text references "User" (id))',
} as const
