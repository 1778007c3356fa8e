import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { opened, temporaryFile } from "./support/databases.ts"
import { race } from "./support/processes.ts"

function setting(database: DatabaseSync, name: string): unknown {
  return Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0]
}

describe("openSqlite", () => {
  test("gives a file a write-ahead log, foreign keys and durable commits", () => {
    const database = opened(temporaryFile())
    expect(setting(database, "journal_mode")).toBe("wal")
    expect(setting(database, "foreign_keys")).toBe(1)
    expect(setting(database, "synchronous")).toBe(2)
    expect(setting(database, "busy_timeout")).toBe(100)
  })

  test("keeps what is in a file", async () => {
    const path = temporaryFile()
    const first = openSqlite(path, { busyTimeout: 7 })
    expect(setting(first, "busy_timeout")).toBe(7)
    const user = { id: "u", name: null, image: null, email: "u@example.test", emailVerified: null }
    await SqlAdapter(first, { migrate: true }).createUser(user)
    first.close()
    expect(await SqlAdapter(opened(path)).getUser("u")).toEqual(user)
  })

  test("opens a database in memory", async () => {
    expect(await SqlAdapter(opened(":memory:"), { migrate: true }).getUser("u")).toBeNull()
  })

  test("waits for a process that is just creating the file", async () => {
    const path = temporaryFile()
    expect(await race(path, "hold", 1)).toEqual(["locked"])
    const database = openSqlite(path, { busyTimeout: 0 })
    expect(setting(database, "journal_mode")).toBe("wal")
    database.close()
  })

  test("rejects a file that cannot be opened or is no database", () => {
    const path = temporaryFile()
    writeFileSync(path, "no database, but long enough to look at it twice")
    expect(() => openSqlite(path)).toThrow("not a database")
    expect(() => openSqlite(join(path, "below.db"))).toThrow()
  })

  test("names an option that cannot be used", () => {
    for (const busyTimeout of [0.5, -1, Number.NaN]) {
      expect(() => openSqlite(":memory:", { busyTimeout })).toThrow(TypeError)
      expect(() => openSqlite(":memory:", { busyTimeout })).toThrow("`busyTimeout`")
    }
  })
})

test("says which Node.js it needs where there is no SQLite", () => {
  const without = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never)
  onTestFinished(() => without.mockRestore())
  expect(() => openSqlite(":memory:")).toThrow("Use 22.16 or newer")
})
