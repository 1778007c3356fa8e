/** Adapts the SQLite of Node.js for two query builders. */
import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import type { SqliteDatabase } from "kysely"
import type { RunQuery } from "./sql-rows.ts"

export function openSqliteMemory(): DatabaseSync {
  const database = new DatabaseSync(":memory:")
  database.exec("pragma foreign_keys = on")
  return database
}

/** Adapts it for Kysely. */
export function toKyselyDatabase(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql)
      const parameters = (all: readonly unknown[]) => all as SQLInputValue[]
      return {
        reader: statement.columns().length > 0,
        all: (parameterValues) => statement.all(...parameters(parameterValues)),
        run: (parameterValues) => statement.run(...parameters(parameterValues)),
        iterate: (parameterValues) => statement.iterate(...parameters(parameterValues)),
      }
    },
  }
}

/** Adapts it for the proxy driver of Drizzle: rows are arrays. */
export async function runForDrizzle(
  database: DatabaseSync,
  sql: string,
  parameters: unknown[],
  method: "run" | "all" | "values" | "get",
): Promise<{ rows: unknown[] }> {
  const statement = database.prepare(sql)
  const parameterValues = parameters as SQLInputValue[]
  if (method === "run") {
    statement.run(...parameterValues)
    return { rows: [] }
  }
  statement.setReturnArrays(true)
  const rows: unknown[] = statement.all(...parameterValues)
  return { rows: method === "get" ? (rows[0] as unknown[]) : rows }
}

export function createSqliteQuery(database: DatabaseSync): RunQuery {
  return async (sql, parameters = []) =>
    database.prepare(sql).all(...(parameters as SQLInputValue[]))
}
