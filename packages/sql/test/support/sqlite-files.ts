/** Opens SQLite databases of Node.js. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { openSqlite } from "@latchkey/sql/sqlite"
import { onTestFinished } from "vitest"
import type { OnFinished } from "./database-kinds/database-kind.ts"

/** Returns the path of a database file that is deleted after the test. */
export function createTemporaryFile(onFinished: OnFinished = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-sql-"))
  onFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, "auth.db")
}

/** Opens a database that is closed after the test. */
export function openTestDatabase(
  path: string,
  onFinished: OnFinished = onTestFinished,
): DatabaseSync {
  const database = openSqlite(path)
  onFinished(() => {
    if (database.isOpen) database.close()
  })
  return database
}
