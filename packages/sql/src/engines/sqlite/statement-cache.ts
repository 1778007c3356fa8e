import { BoundedMap } from "../../bounded-map.ts"
import type { Result, Row, Statement } from "../../engine.ts"
import { diagnose } from "./diagnose.ts"
import type { SqliteDatabase, SqliteStatement, SqliteValue } from "./driver.ts"

const limit = 128

/** Prepares each statement once, and again after the database was closed and opened. */
export class StatementCache {
  readonly #database: SqliteDatabase
  readonly #prepared = new BoundedMap<string, SqliteStatement>(limit)

  constructor(database: SqliteDatabase) {
    this.#database = database
  }

  run(statement: Statement): Result {
    const cached = this.#prepared.get(statement.sql)
    if (cached === undefined) return send(this.#prepare(statement.sql), statement)
    try {
      return send(cached, statement)
    } catch (error) {
      if (diagnose(error).code !== "closed") throw error
      this.#prepared.clear()
      return send(this.#prepare(statement.sql), statement)
    }
  }

  #prepare(sql: string): SqliteStatement {
    const prepared = this.#database.prepare(sql)
    prepared.setReadBigInts?.(false)
    prepared.setReturnArrays?.(false)
    this.#prepared.set(sql, prepared)
    return prepared
  }
}

function send(prepared: SqliteStatement, { parameters, returnsRows }: Statement): Result {
  // What codecs give for SQLite is null, a number or text.
  const values = parameters as readonly SqliteValue[]
  if (returnsRows) return { rows: prepared.all(...values) as Row[], affected: 0 }
  const { changes, lastInsertRowid } = prepared.run(...values)
  return { rows: [], affected: Number(changes), insertedId: lastInsertRowid }
}
