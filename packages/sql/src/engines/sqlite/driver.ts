/** The driver is described, not imported: `DatabaseSync` of `node:sqlite`, or any object with these methods. */

/** A prepared statement: the methods in use of `StatementSync`. */
export interface SqliteStatement {
  all(...parameters: SqliteValue[]): unknown[]
  run(...parameters: SqliteValue[]): {
    changes: number | bigint
    lastInsertRowid?: number | bigint
  }
  /** Present in `node:sqlite`. Called so that settings of the connection do not change what is read. */
  setReadBigInts?(enabled: boolean): void
  /**
   * Present in `node:sqlite`, which reads rows faster as arrays. Always called, so that settings of the connection do
   * not matter.
   */
  setReturnArrays?(enabled: boolean): void
  /** Present in `node:sqlite` since 22.16: names the columns of the arrays. */
  columns?(): readonly { readonly name: string }[]
}

/** An open database: the methods in use of `DatabaseSync`. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement
  exec(sql: string): unknown
  readonly isOpen?: boolean
  /** `isOpen` of `better-sqlite3` and `libsql`. In `node:sqlite` it is a method. */
  readonly open?: unknown
  /** Whether a transaction is open on the connection. */
  readonly isTransaction?: boolean
  /** `isTransaction` of `better-sqlite3` and `libsql`. */
  readonly inTransaction?: boolean
}

/** A value for a placeholder. */
export type SqliteValue = null | number | string

/** Whether a value has the methods of an SQLite database. */
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

/** Whether a transaction is open on a connection; undefined if the driver does not report it. */
export function isInTransaction(database: SqliteDatabase): boolean | undefined {
  return database.isTransaction ?? database.inTransaction
}

/** Whether a database was closed. Some drivers end the process when a closed database is used. */
export function isClosed({ isOpen, open }: SqliteDatabase): boolean {
  return isOpen === false || open === false
}
