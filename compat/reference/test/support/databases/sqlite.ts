/** The SQLite that is part of Node.js, in the shape that two query builders ask for. */
import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import type { SqliteDatabase } from "kysely"
import type { Query } from "./rows.ts"

export function sqlite(): DatabaseSync {
  const database = new DatabaseSync(":memory:")
  database.exec("pragma foreign_keys = on")
  return database
}

/** As Kysely knows a database. */
export function forKysely(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql)
      const parameters = (all: readonly unknown[]) => all as SQLInputValue[]
      return {
        reader: statement.columns().length > 0,
        all: (given) => statement.all(...parameters(given)),
        run: (given) => statement.run(...parameters(given)),
        iterate: (given) => statement.iterate(...parameters(given)),
      }
    },
  }
}

/** As the proxy driver of Drizzle calls a database: rows are arrays. */
export async function forDrizzle(
  database: DatabaseSync,
  sql: string,
  parameters: unknown[],
  method: "run" | "all" | "values" | "get",
): Promise<{ rows: unknown[] }> {
  const statement = database.prepare(sql)
  const given = parameters as SQLInputValue[]
  if (method === "run") {
    statement.run(...given)
    return { rows: [] }
  }
  statement.setReturnArrays(true)
  const rows: unknown[] = statement.all(...given)
  return { rows: method === "get" ? (rows[0] as unknown[]) : rows }
}

export function queryOf(database: DatabaseSync): Query {
  return async (sql, parameters = []) =>
    database.prepare(sql).all(...(parameters as SQLInputValue[]))
}
