/** UPDATE and DELETE that give back the row they touched, on engines that can do that and on others. */
import type { Compilable } from "kysely"
import type { Row } from "./engine.ts"
import type { Values } from "./query.ts"
import { prepared, type Query, type Store } from "./store.ts"

/** The same change in the forms that engines need. */
export interface Change {
  /** The statement as it is. */
  readonly plain: (query: Query) => Compilable
  /** The statement with RETURNING. */
  readonly returning: (query: Query) => Compilable
  /** Reads the row that the statement touches. */
  readonly read: (query: Query) => Compilable
}

type Touch = (values: Values) => Promise<Row | null>

/** Deletes at most one row and gives it back: of many callers at once, one gets it. */
export function removing(store: Store, operation: string, change: Change): Touch {
  if (store.engine.dialect.supportsReturning) return first(store, operation, change.returning)
  const read = first(store, operation, change.read)
  const remove = prepared(store, operation, change.plain)
  return async (values) => {
    const row = await read(values)
    if (row === null) return null
    // Two may have read the row, but only one of them deletes it.
    const { affected } = await remove(values)
    return affected > 0 ? row : null
  }
}

/** Updates at most one row and gives it back as it is then; null when there is none. */
export function updating(store: Store, operation: string, change: Change): Touch {
  if (store.engine.dialect.supportsReturning) return first(store, operation, change.returning)
  const update = prepared(store, operation, change.plain)
  const read = first(store, operation, change.read)
  return async (values) => {
    await update(values)
    return read(values)
  }
}

/** What a change came to: the row, null when there is none, or nothing but that it was made. */
export type Outcome = Row | null | undefined

/**
 * Updates at most one row. Like `updating`, but what cannot be had in the same statement is not asked for.
 */
export function changingBlindly(
  store: Store,
  operation: string,
  change: Change,
): (values: Values) => Promise<Outcome> {
  if (store.engine.dialect.supportsReturning) return first(store, operation, change.returning)
  const update = prepared(store, operation, change.plain)
  const read = first(store, operation, change.read)
  return async (values) => {
    const { affected } = await update(values)
    // A driver may be set to count only the rows that are different now.
    return affected > 0 ? undefined : read(values)
  }
}

/** Gives the first row that a query finds, or null. */
export function first(store: Store, operation: string, build: Change["read"]): Touch {
  const run = prepared(store, operation, build)
  return async (values) => {
    const { rows } = await run(values)
    return rows[0] ?? null
  }
}
