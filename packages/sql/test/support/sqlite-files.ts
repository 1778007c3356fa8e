/** Databases of Node.js. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { openSqlite } from "@latchkey/sql/sqlite"
import { onTestFinished } from "vitest"

/** Path of a database file that is removed after the test. */
export function createTemporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-sql-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, "auth.db")
}

/** Opens a database that is closed after the test. */
export function openTestDatabase(path: string): DatabaseSync {
  const database = openSqlite(path)
  onTestFinished(() => {
    if (database.isOpen) database.close()
  })
  return database
}
