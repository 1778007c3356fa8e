/** The driver, described and not imported: a pool of `mysql2`. */

/** What can be bound to a placeholder. */
export type MysqlValue = boolean | null | number | string

/** A statement, and that its rows are objects whatever the pool was set to. */
export interface MysqlQuery {
  sql: string
  values: MysqlValue[]
  rowsAsArray: boolean
  nestTables: boolean
  namedPlaceholders: boolean
  typeCast: boolean
}

/** What statements can be sent to. */
export interface MysqlConnection {
  execute(query: MysqlQuery): Promise<[unknown, unknown]>
  query(query: MysqlQuery): Promise<[unknown, unknown]>
}

/** A connection of a pool, until it is released. */
export interface MysqlPoolConnection extends MysqlConnection {
  release(): void
  destroy(): void
}

/** A pool of `mysql2/promise`. */
export interface MysqlPool extends MysqlConnection {
  getConnection(): Promise<MysqlPoolConnection>
}

/** A pool of `mysql2`, whose methods take callbacks. */
export interface MysqlCallbackPool {
  promise(): MysqlPool
  getConnection: unknown
}

/** Either of them. */
export type MysqlDatabase = MysqlCallbackPool | MysqlPool

/** Tells whether a value has the methods of a pool of `mysql2`. */
export function isMysqlDatabase(value: unknown): value is MysqlDatabase {
  if (typeof value !== "object" || value === null || !("getConnection" in value)) return false
  return isCallbackPool(value) || ("execute" in value && typeof value.execute === "function")
}

/** The pool that answers with promises. */
export function toPromisePool(database: MysqlDatabase): MysqlPool {
  return isCallbackPool(database) ? database.promise() : database
}

function isCallbackPool(value: object): value is MysqlCallbackPool {
  return "promise" in value && typeof value.promise === "function"
}
