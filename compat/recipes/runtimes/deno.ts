/** The application in Deno, with the SQLite of `node:sqlite`. */
import { env } from "node:process"
import { migrationSql, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createFetch } from "./create-fetch.ts"

const { DATABASE_FILE, PORT } = env

function createAdapter(file: string) {
  const database = openSqlite(file)
  database.exec(migrationSql("sqlite"))
  return SqlAdapter(database)
}

Deno.serve(
  { hostname: "127.0.0.1", port: Number(PORT) },
  createFetch(() => (DATABASE_FILE ? { adapter: createAdapter(DATABASE_FILE) } : {})),
)
