/** Connects to the databases. Worker processes use this module, too, so it imports no test framework. */
import type { SqlDatabase } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createPool, type Pool as MysqlPool } from "mysql2/promise"
import { Pool as PostgresPool } from "pg"

/** The URL of the PostgreSQL server. */
export const postgresUrl: string =
  process.env["LATCHKEY_POSTGRES"] ?? "postgres://postgres@127.0.0.1:5432/test"

/** The URL of the MariaDB server. */
export const mariadbUrl: string =
  process.env["LATCHKEY_MARIADB"] ?? "mysql://root@127.0.0.1:3306/test"

/** Connects to a schema of PostgreSQL, with an unusual time zone. */
export function postgresPool(schema: string, { max = 10, url = postgresUrl } = {}): PostgresPool {
  const pool = new PostgresPool({
    connectionString: url,
    options: `-c search_path=${schema} -c timezone=Asia/Kathmandu`,
    application_name: schema,
    max,
  })
  // Connections that tests close emit an error.
  pool.on("error", () => undefined)
  return pool
}

/** Connects to a database of MariaDB, with an unusual time zone. */
export function mariadbPool(schema: string, { max = 10, address = mariadbUrl } = {}): MysqlPool {
  const url = new URL(address)
  url.pathname = `/${schema}`
  return createPool({ uri: url.href, connectionLimit: max, timezone: "+05:45" })
}

/** Connects to `postgres:SCHEMA`, to `mariadb:SCHEMA`, or to the SQLite file of a path. */
export function connectTo(address: string): SqlDatabase {
  const [kind, schema = ""] = address.split(":")
  if (kind === "postgres") return postgresPool(schema, { max: 4 })
  if (kind === "mariadb") return mariadbPool(schema, { max: 4 })
  return openSqlite(address)
}
