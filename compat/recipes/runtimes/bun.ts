/** The application in Bun, with its own SQLite. */
import { Database } from "bun:sqlite"
import { migrationSql, SqlAdapter } from "@latchkey/sql"
import { createFetch } from "./create-fetch.ts"

const { DATABASE_FILE, PORT } = process.env

function createAdapter(file: string) {
  const database = new Database(file, { strict: true })
  database.exec("pragma foreign_keys = on")
  database.exec(migrationSql("sqlite"))
  return SqlAdapter(database)
}

Bun.serve({
  hostname: "127.0.0.1",
  port: Number(PORT),
  fetch: createFetch(() => (DATABASE_FILE ? { adapter: createAdapter(DATABASE_FILE) } : {})),
})
