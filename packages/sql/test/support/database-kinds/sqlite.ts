import type { DatabaseSync } from "node:sqlite"
import { createTemporaryFile, openTestDatabase } from "../sqlite-files.ts"
import type { DatabaseKind, OnFinished, Row, TestDatabase } from "./database-kind.ts"

/** Opens a database of Node.js for a test. */
interface SqliteTestDatabase extends TestDatabase {
  readonly database: DatabaseSync
}

const dates = ["emailVerified", "expires", "since"]
const booleans = ["credentialBackedUp", "admin"]

function createSqliteTestDatabase(database: DatabaseSync): SqliteTestDatabase {
  return {
    database,
    query: async (sql, ...values) =>
      database
        .prepare(sql)
        .all(...(values as string[]))
        .map(normalizeRow),
  }
}

function normalizeRow(row: Row): Row {
  const entries = Object.entries(row).map(([column, value]) => {
    if (value === null) return [column, null]
    if (dates.includes(column)) return [column, new Date(Number(value))]
    return [column, booleans.includes(column) ? value === 1 : value]
  })
  return Object.fromEntries(entries)
}

const memoryKind = {
  name: "SQLite",
  dialect: "sqlite",
  open: async (onFinished?: OnFinished) =>
    createSqliteTestDatabase(openTestDatabase(":memory:", onFinished)),
} satisfies DatabaseKind

export const sqliteKinds: readonly DatabaseKind[] = [
  memoryKind,
  {
    ...memoryKind,
    name: "SQLite in a file",
    features: ["second"],
    open: async (onFinished) => {
      const path = createTemporaryFile(onFinished)
      return {
        ...createSqliteTestDatabase(openTestDatabase(path, onFinished)),
        reconnect: () => openTestDatabase(path, onFinished),
        address: path,
      }
    },
  },
  // Simulates an engine without RETURNING.
  { ...memoryKind, name: "SQLite without RETURNING", withoutReturning: true } as DatabaseKind,
]
