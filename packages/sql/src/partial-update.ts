/** UPDATE of those columns that are given, compiled once for each set of them. */
import { BoundedMap } from "./bounded-map.ts"
import type { Row } from "./engine.ts"
import { prepareFindFirst, prepareUpdate, type RowChange } from "./row-statements.ts"
import type { ParameterValues } from "./statement-template.ts"
import type { QueryBuilder, Store } from "./store.ts"

/** What is changed, and how the row is found. */
export interface PartialRowChange {
  /** Reads the row. */
  readonly read: RowChange["read"]
  /** Changes some fields of it. */
  plain(query: QueryBuilder, fields: readonly string[]): ReturnType<RowChange["plain"]>
  /** The same with RETURNING. */
  returning(query: QueryBuilder, fields: readonly string[]): ReturnType<RowChange["returning"]>
}

/** How many sets of columns are remembered. */
const maxCachedUpdates = 32

/**
 * Makes a function that changes the given columns of one row and gives it back; null when there is none. Nothing to
 * change gives the row as it is.
 */
export function preparePartialUpdate(
  store: Store,
  operation: string,
  changes: PartialRowChange,
): (given: ParameterValues, key: ParameterValues) => Promise<Row | null> {
  const updatesByFields = new BoundedMap<string, ReturnType<typeof prepareUpdate>>(maxCachedUpdates)
  const { read } = changes

  function prepareForFields(fields: readonly string[]): ReturnType<typeof prepareUpdate> {
    if (fields.length === 0) return prepareFindFirst(store, operation, read)
    const plain = (query: QueryBuilder) => changes.plain(query, fields)
    const returning = (query: QueryBuilder) => changes.returning(query, fields)
    return prepareUpdate(store, operation, { plain, returning, read })
  }

  return (values, key) => {
    const fields = Object.keys(values)
    const name = fields.join()
    const change = updatesByFields.get(name) ?? prepareForFields(fields)
    updatesByFields.set(name, change)
    return change({ ...values, ...key })
  }
}
