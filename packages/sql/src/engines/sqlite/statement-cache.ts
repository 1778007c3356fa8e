import { BoundedMap } from "../../bounded-map.ts"
import type { Statement, StatementResult } from "../../engine.ts"
import { diagnoseError } from "./diagnose-error.ts"
import type { SqliteDatabase, SqliteStatement, SqliteValue } from "./driver.ts"
import { createReadRows, type ReadRows } from "./read-rows.ts"

const maxStatements = 128

/** A prepared statement, and how to read its rows. */
interface CachedStatement {
  readonly statement: SqliteStatement
  readonly read: ReadRows
}

/** Prepares each statement once, and again after the database was reopened. */
export class StatementCache {
  readonly #database: SqliteDatabase
  readonly #prepared = new BoundedMap<string, CachedStatement>(maxStatements)

  constructor(database: SqliteDatabase) {
    this.#database = database
  }

  run(statement: Statement): StatementResult {
    const cached = this.#prepared.get(statement.sql)
    if (cached === undefined) return runCached(this.#prepare(statement.sql), statement)
    try {
      return runCached(cached, statement)
    } catch (error) {
      if (diagnoseError(error).code !== "closed") throw error
      this.#prepared.clear()
      return runCached(this.#prepare(statement.sql), statement)
    }
  }

  #prepare(sql: string): CachedStatement {
    const statement = this.#database.prepare(sql)
    statement.setReadBigInts?.(false)
    const prepared = { statement, read: createReadRows(statement) }
    this.#prepared.set(sql, prepared)
    return prepared
  }
}

function runCached(
  { statement, read }: CachedStatement,
  { parameters, returnsRows }: Statement,
): StatementResult {
  // The codecs of SQLite return only null, numbers and text.
  const values = parameters as readonly SqliteValue[]
  if (returnsRows) return { rows: read(statement.all(...values)), affected: 0 }
  const { changes, lastInsertRowid } = statement.run(...values)
  return { rows: [], affected: Number(changes), insertedId: lastInsertRowid }
}
