import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { createTemporaryFile, openTestDatabase } from "./support/sqlite-files.ts"
import { runInWorkers } from "./support/worker-processes.ts"

function readPragma(database: DatabaseSync, name: string): unknown {
  return Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0]
}

describe("openSqlite", () => {
  test("opens a file with a write-ahead log, foreign keys and durable commits", () => {
    const database = openTestDatabase(createTemporaryFile())
    expect(readPragma(database, "journal_mode")).toBe("wal")
    expect(readPragma(database, "foreign_keys")).toBe(1)
    expect(readPragma(database, "synchronous")).toBe(2)
    expect(readPragma(database, "busy_timeout")).toBe(100)
  })

  test("keeps the contents of a file", async () => {
    const path = createTemporaryFile()
    const first = openSqlite(path, { busyTimeout: 7 })
    expect(readPragma(first, "busy_timeout")).toBe(7)
    const user = { id: "u", name: null, image: null, email: "u@example.test", emailVerified: null }
    await SqlAdapter(first, { migrate: true }).createUser(user)
    first.close()
    expect(await SqlAdapter(openTestDatabase(path)).getUser("u")).toEqual(user)
  })

  test("opens a database in memory", async () => {
    expect(
      await SqlAdapter(openTestDatabase(":memory:"), { migrate: true }).getUser("u"),
    ).toBeNull()
  })

  test("waits for a process that is creating the file", async () => {
    const path = createTemporaryFile()
    expect(await runInWorkers(path, "lockFile", 1)).toEqual(["locked"])
    const database = openSqlite(path, { busyTimeout: 0 })
    expect(readPragma(database, "journal_mode")).toBe("wal")
    database.close()
  })

  test("rejects a file that cannot be opened or is not a database", () => {
    const path = createTemporaryFile()
    writeFileSync(path, "no database, but long enough to look at it twice")
    expect(() => openSqlite(path)).toThrow("not a database")
    expect(() => openSqlite(join(path, "below.db"))).toThrow()
  })

  test("names an invalid option", () => {
    for (const busyTimeout of [0.5, -1, Number.NaN]) {
      expect(() => openSqlite(":memory:", { busyTimeout })).toThrow(TypeError)
      expect(() => openSqlite(":memory:", { busyTimeout })).toThrow("`busyTimeout`")
    }
  })
})

test("names the required version of Node.js if SQLite is missing", () => {
  const without = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never)
  onTestFinished(() => without.mockRestore())
  expect(() => openSqlite(":memory:")).toThrow("Use 22.16 or newer")
})
