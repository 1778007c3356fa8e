/** UPDATE of those columns that are given, compiled once for each set of them. */
import { BoundedMap } from "./bounded-map.ts"
import type { Row } from "./engine.ts"
import type { Values } from "./query.ts"
import type { Query, Store } from "./store.ts"
import { type Change, first, updating } from "./touching.ts"

/** What is changed, and how the row is found. */
export interface Changes {
  /** Reads the row. */
  readonly read: Change["read"]
  /** Changes some fields of it. */
  plain(query: Query, fields: readonly string[]): ReturnType<Change["plain"]>
  /** The same with RETURNING. */
  returning(query: Query, fields: readonly string[]): ReturnType<Change["returning"]>
}

/** How many sets of columns are remembered. */
const limit = 32

/**
 * Makes a function that changes the given columns of one row and gives it back; null when there is none. Nothing to
 * change gives the row as it is.
 */
export function changing(
  store: Store,
  operation: string,
  changes: Changes,
): (given: Values, key: Values) => Promise<Row | null> {
  const known = new BoundedMap<string, ReturnType<typeof updating>>(limit)
  const { read } = changes

  function made(fields: readonly string[]): ReturnType<typeof updating> {
    if (fields.length === 0) return first(store, operation, read)
    const plain = (query: Query) => changes.plain(query, fields)
    const returning = (query: Query) => changes.returning(query, fields)
    return updating(store, operation, { plain, returning, read })
  }

  return (given, key) => {
    const fields = Object.keys(given)
    const name = fields.join()
    const change = known.get(name) ?? made(fields)
    known.set(name, change)
    return change({ ...given, ...key })
  }
}
