/** A database for both the other library and the recipe, which finds it in the environment. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Pool } from "pg"
import { onTestFinished } from "vitest"
import { createPostgresDatabase } from "./postgres-database.ts"
import { setEnvironment } from "./recipe.ts"

/** Opens a file of SQLite. */
export function openSqliteFile(): DatabaseSync {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-recipe-"))
  const file = join(folder, "app.db")
  setEnvironment({ DATABASE_FILE: file })
  const database = new DatabaseSync(file)
  onTestFinished(() => {
    if (database.isOpen) database.close()
    rmSync(folder, { recursive: true })
  })
  return database
}

/** Opens a new database of PostgreSQL. */
export async function openPostgres(): Promise<Pool> {
  const { url, drop } = await createPostgresDatabase()
  setEnvironment({ DATABASE_URL: url })
  const pool = new Pool({ connectionString: url })
  onTestFinished(async () => {
    await pool.end()
    await drop()
  })
  return pool
}
