/** Rows by the names of their columns. */
import type { Row } from "../../engine.ts"
import type { SqliteStatement } from "./driver.ts"

/** A row to be filled. Without a prototype, so that a column of any name is a column. */
class PlainRow {
  [column: string]: unknown
}
Object.setPrototypeOf(PlainRow.prototype, null)

/** Makes rows of what the driver found. */
export type ReadRows = (driverRows: readonly unknown[]) => readonly Row[]

/**
 * How the rows of a statement are read. The objects that `node:sqlite` makes of rows are dictionaries, which are slow to
 * make and to read: where it tells the names of columns, it is asked for arrays.
 */
export function createReadRows(statement: SqliteStatement): ReadRows {
  const names = statement.setReturnArrays && statement.columns?.().map(({ name }) => name)
  statement.setReturnArrays?.(names !== undefined)
  // What drivers give for a row: an object, unless they were asked for arrays.
  if (!names) return (found) => found as readonly Row[]
  return (found) => (found as readonly (readonly unknown[])[]).map((values) => toRow(names, values))
}

function toRow(names: readonly string[], values: readonly unknown[]): Row {
  const row = new PlainRow()
  let index = 0
  for (const name of names) row[name] = values[index++]
  return row
}
