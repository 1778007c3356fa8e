/** The driver is described, not imported: a pool of `mysql2`. */

/** A value for a placeholder. */
export type MysqlValue = boolean | null | number | string

/** A statement, with rows as objects whatever the settings of the pool. */
export interface MysqlQuery {
  sql: string
  values: MysqlValue[]
  rowsAsArray: boolean
  nestTables: boolean
  namedPlaceholders: boolean
  typeCast: boolean
}

/** A connection, or a pool of them. */
export interface MysqlConnection {
  execute(query: MysqlQuery): Promise<[unknown, unknown]>
  query(query: MysqlQuery): Promise<[unknown, unknown]>
}

/** A connection that is taken from a pool until it is released. */
export interface MysqlPoolConnection extends MysqlConnection {
  release(): void
  destroy(): void
}

/** A pool of `mysql2/promise`. */
export interface MysqlPool extends MysqlConnection {
  getConnection(): Promise<MysqlPoolConnection>
}

/** A pool of `mysql2` with callbacks. */
export interface MysqlCallbackPool {
  promise(): MysqlPool
  getConnection: unknown
}

/** A pool of either kind. */
export type MysqlDatabase = MysqlCallbackPool | MysqlPool

/** Whether a value has the methods of a `mysql2` pool. */
export function isMysqlDatabase(value: unknown): value is MysqlDatabase {
  if (typeof value !== "object" || value === null || !("getConnection" in value)) return false
  return isCallbackPool(value) || ("execute" in value && typeof value.execute === "function")
}

/** Returns the pool's variant with promises. */
export function toPromisePool(database: MysqlDatabase): MysqlPool {
  return isCallbackPool(database) ? database.promise() : database
}

function isCallbackPool(value: object): value is MysqlCallbackPool {
  return "promise" in value && typeof value.promise === "function"
}
