/** The driver, described and not imported: `DatabaseSync` of `node:sqlite`, or any object with these methods. */

/** A prepared statement: the part of `StatementSync` that is used. */
export interface SqliteStatement {
  all(...parameters: SqliteValue[]): unknown[]
  run(...parameters: SqliteValue[]): {
    changes: number | bigint
    lastInsertRowid?: number | bigint
  }
  /** Present in `node:sqlite`; called so that settings of the connection do not change what is read. */
  setReadBigInts?(enabled: boolean): void
  /** Present in `node:sqlite`, where rows as arrays are read in less time; called in either case, for the same reason. */
  setReturnArrays?(enabled: boolean): void
  /** Present in `node:sqlite` since 22.16: what is in the arrays. */
  columns?(): readonly { readonly name: string }[]
}

/** An open database: the part of `DatabaseSync` that is used. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement
  exec(sql: string): unknown
  readonly isOpen?: boolean
  /** Tells the same in `better-sqlite3` and `libsql`; in `node:sqlite` it is a method. */
  readonly open?: unknown
  /** Whether a transaction is open on the connection. */
  readonly isTransaction?: boolean
  /** The same in `better-sqlite3` and `libsql`. */
  readonly inTransaction?: boolean
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

/** Whether a transaction is open on a connection; undefined when the driver does not tell. */
export function isInTransaction(database: SqliteDatabase): boolean | undefined {
  return database.isTransaction ?? database.inTransaction
}

/** Whether a database was closed. Some drivers end the process when a closed one is used. */
export function isClosed({ isOpen, open }: SqliteDatabase): boolean {
  return isOpen === false || open === false
}
