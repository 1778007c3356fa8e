/** UPDATE and DELETE that return the changed row, on engines with and without RETURNING. */
import type { Compilable } from "kysely"
import type { Row } from "./engine.ts"
import type { ParameterValues } from "./statement-template.ts"
import { prepareStatement, type QueryBuilder, type Store } from "./store.ts"

/** One change in the forms that engines need. */
export interface RowChange {
  /** The statement without RETURNING. */
  readonly plain: (query: QueryBuilder) => Compilable
  /** The statement with RETURNING. */
  readonly returning: (query: QueryBuilder) => Compilable
  /** Reads the row that the statement changes. */
  readonly read: (query: QueryBuilder) => Compilable
}

type FindOrChangeRow = (values: ParameterValues) => Promise<Row | null>

/** Prepares the deletion of at most one row, which it returns. Only one of several concurrent callers gets the row. */
export function prepareDelete(store: Store, operation: string, change: RowChange): FindOrChangeRow {
  if (store.engine.dialect.supportsReturning)
    return prepareFindFirst(store, operation, change.returning)
  const read = prepareFindFirst(store, operation, change.read)
  const remove = prepareStatement(store, operation, change.plain)
  return async (values) => {
    const row = await read(values)
    if (row === null) return null
    // Several callers may have read the row, but only one of them deletes it.
    const { affected } = await remove(values)
    return affected > 0 ? row : null
  }
}

/** Prepares the update of at most one row. It returns the changed row, or null if there is none. */
export function prepareUpdate(store: Store, operation: string, change: RowChange): FindOrChangeRow {
  if (store.engine.dialect.supportsReturning)
    return prepareFindFirst(store, operation, change.returning)
  const update = prepareStatement(store, operation, change.plain)
  const read = prepareFindFirst(store, operation, change.read)
  return async (values) => {
    await update(values)
    return read(values)
  }
}

/** The result of an update: the row, null if there is none, or undefined if the row was changed but not read. */
export type UpdateOutcome = Row | null | undefined

/** Prepares the update of at most one row. Unlike `prepareUpdate`, it reads the row only if the same statement can. */
export function prepareUpdateWithoutRead(
  store: Store,
  operation: string,
  change: RowChange,
): (values: ParameterValues) => Promise<UpdateOutcome> {
  if (store.engine.dialect.supportsReturning)
    return prepareFindFirst(store, operation, change.returning)
  const update = prepareStatement(store, operation, change.plain)
  const read = prepareFindFirst(store, operation, change.read)
  return async (values) => {
    const { affected } = await update(values)
    // Some drivers count only rows whose values changed.
    return affected > 0 ? undefined : read(values)
  }
}

/** Prepares a query that returns the first row, or null. */
export function prepareFindFirst(
  store: Store,
  operation: string,
  build: RowChange["read"],
): FindOrChangeRow {
  const run = prepareStatement(store, operation, build)
  return async (values) => {
    const { rows } = await run(values)
    return rows[0] ?? null
  }
}
