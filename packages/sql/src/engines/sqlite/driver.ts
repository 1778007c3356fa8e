/** The driver, described and not imported: `DatabaseSync` of `node:sqlite`, or any object with these methods. */

/** A prepared statement: the part of `StatementSync` that is used. */
export interface SqliteStatement {
  all(...parameters: SqliteValue[]): unknown[]
  run(...parameters: SqliteValue[]): { changes: number | bigint }
  /** Present in `node:sqlite`; called so that settings of the connection do not change what is read. */
  setReadBigInts?(enabled: boolean): void
  /** Present in `node:sqlite`; called so that settings of the connection do not change what is read. */
  setReturnArrays?(enabled: boolean): void
}

/** An open database: the part of `DatabaseSync` that is used. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement
  exec(sql: string): void
  readonly isOpen?: boolean
  /** Whether a transaction is open on the connection. */
  readonly isTransaction?: boolean
}

/** What can be bound to a placeholder. */
export type SqliteValue = null | number | string

/** Tells whether a value has the methods of an SQLite database. */
export function isSqliteDatabase(value: unknown): value is SqliteDatabase {
  return (
    typeof value === "object" &&
    value !== null &&
    "prepare" in value &&
    typeof value.prepare === "function" &&
    "exec" in value &&
    typeof value.exec === "function"
  )
}
