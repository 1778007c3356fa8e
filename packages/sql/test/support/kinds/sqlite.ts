import type { DatabaseSync } from "node:sqlite"
import { opened, temporaryFile } from "../databases.ts"
import type { Kind, Row, TestDatabase } from "./kind.ts"

/** A database of Node.js for a test. */
interface SqliteTestDatabase extends TestDatabase {
  readonly database: DatabaseSync
}

const dates = ["emailVerified", "expires", "since"]
const booleans = ["credentialBackedUp", "admin"]

function sqliteTest(database: DatabaseSync): SqliteTestDatabase {
  return {
    database,
    query: async (sql, ...values) =>
      database
        .prepare(sql)
        .all(...(values as string[]))
        .map(translated),
  }
}

function translated(row: Row): Row {
  const entries = Object.entries(row).map(([column, value]) => {
    if (value === null) return [column, null]
    if (dates.includes(column)) return [column, new Date(Number(value))]
    return [column, booleans.includes(column) ? value === 1 : value]
  })
  return Object.fromEntries(entries)
}

const memory = {
  name: "SQLite",
  dialect: "sqlite",
  open: async () => sqliteTest(opened(":memory:")),
} satisfies Kind

export const sqliteKinds: readonly Kind[] = [
  memory,
  {
    ...memory,
    name: "SQLite in a file",
    open: async () => {
      const path = temporaryFile()
      return { ...sqliteTest(opened(path)), again: () => opened(path), address: path }
    },
  },
  // Used as an engine is that cannot give back the rows it changed.
  { ...memory, name: "SQLite without RETURNING", withoutReturning: true } as Kind,
]
