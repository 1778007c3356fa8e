import type { Row } from "../../engine.ts"
import type { SqliteStatement } from "./driver.ts"

/** An empty row. It has no prototype, so that any name can be a column. */
class PlainRow {
  [column: string]: unknown
}
Object.setPrototypeOf(PlainRow.prototype, null)

/** Converts what the driver returns to rows. */
export type ReadRows = (driverRows: readonly unknown[]) => readonly Row[]

/**
 * Chooses how to read the rows of a statement. `node:sqlite` returns rows as dictionary objects, which are slow to
 * create and to read. If it reports the names of columns, it is asked for arrays instead.
 */
export function createReadRows(statement: SqliteStatement): ReadRows {
  const names = statement.setReturnArrays && statement.columns?.().map(({ name }) => name)
  statement.setReturnArrays?.(names !== undefined)
  // Drivers return objects unless they are asked for arrays.
  if (!names) return (found) => found as readonly Row[]
  return (found) => (found as readonly (readonly unknown[])[]).map((values) => toRow(names, values))
}

function toRow(names: readonly string[], values: readonly unknown[]): Row {
  const row = new PlainRow()
  let index = 0
  for (const name of names) row[name] = values[index++]
  return row
}
