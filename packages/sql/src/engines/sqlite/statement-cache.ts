import { BoundedMap } from "../../bounded-map.ts"
import type { Result, Statement } from "../../engine.ts"
import { diagnose } from "./diagnose.ts"
import type { SqliteDatabase, SqliteStatement, SqliteValue } from "./driver.ts"
import { type ReadRows, rowsOf } from "./row.ts"

const limit = 128

/** A statement that the driver has prepared, and how its rows are read. */
interface Prepared {
  readonly statement: SqliteStatement
  readonly read: ReadRows
}

/** Prepares each statement once, and again after the database was closed and opened. */
export class StatementCache {
  readonly #database: SqliteDatabase
  readonly #prepared = new BoundedMap<string, Prepared>(limit)

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

  #prepare(sql: string): Prepared {
    const statement = this.#database.prepare(sql)
    statement.setReadBigInts?.(false)
    const prepared = { statement, read: rowsOf(statement) }
    this.#prepared.set(sql, prepared)
    return prepared
  }
}

function send({ statement, read }: Prepared, { parameters, returnsRows }: Statement): Result {
  // What codecs give for SQLite is null, a number or text.
  const values = parameters as readonly SqliteValue[]
  if (returnsRows) return { rows: read(statement.all(...values)), affected: 0 }
  const { changes, lastInsertRowid } = statement.run(...values)
  return { rows: [], affected: Number(changes), insertedId: lastInsertRowid }
}
