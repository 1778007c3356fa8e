/** Updates of some columns, compiled once for each set of columns. */
import { BoundedMap } from "./bounded-map.ts"
import type { Row } from "./engine.ts"
import { prepareFindFirst, prepareUpdate, type RowChange } from "./row-statements.ts"
import type { ParameterValues } from "./statement-template.ts"
import type { QueryBuilder, Store } from "./store.ts"

/** A change of some fields, and how to find its row. */
export interface PartialRowChange {
  /** Reads the row. */
  readonly read: RowChange["read"]
  /** Changes some of its fields. */
  plain(query: QueryBuilder, fields: readonly string[]): ReturnType<RowChange["plain"]>
  /** Changes some of its fields, with RETURNING. */
  returning(query: QueryBuilder, fields: readonly string[]): ReturnType<RowChange["returning"]>
}

/** How many sets of columns are cached. */
const maxCachedUpdates = 32

/**
 * Prepares a function that changes the given columns of one row. It returns the changed row, or null if there is none.
 * Without changes it returns the row as it is.
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
