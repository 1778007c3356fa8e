/** UPDATE and DELETE that give back the row they touched, on engines that can do that and on others. */
import type { Compilable } from "kysely"
import type { Row } from "./engine.ts"
import type { ParameterValues } from "./statement-template.ts"
import { prepareStatement, type QueryBuilder, type Store } from "./store.ts"

/** The same change in the forms that engines need. */
export interface RowChange {
  /** The statement as it is. */
  readonly plain: (query: QueryBuilder) => Compilable
  /** The statement with RETURNING. */
  readonly returning: (query: QueryBuilder) => Compilable
  /** Reads the row that the statement touches. */
  readonly read: (query: QueryBuilder) => Compilable
}

type FindOrChangeRow = (values: ParameterValues) => Promise<Row | null>

/** Deletes at most one row and gives it back: of many callers at once, one gets it. */
export function prepareDelete(store: Store, operation: string, change: RowChange): FindOrChangeRow {
  if (store.engine.dialect.supportsReturning)
    return prepareFindFirst(store, operation, change.returning)
  const read = prepareFindFirst(store, operation, change.read)
  const remove = prepareStatement(store, operation, change.plain)
  return async (values) => {
    const row = await read(values)
    if (row === null) return null
    // Two may have read the row, but only one of them deletes it.
    const { affected } = await remove(values)
    return affected > 0 ? row : null
  }
}

/** Updates at most one row and gives it back as it is then; null when there is none. */
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

/** What a change came to: the row, null when there is none, or nothing but that it was made. */
export type UpdateOutcome = Row | null | undefined

/**
 * Updates at most one row. Like `updating`, but what cannot be had in the same statement is not asked for.
 */
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
    // A driver may be set to count only the rows that are different now.
    return affected > 0 ? undefined : read(values)
  }
}

/** Gives the first row that a query finds, or null. */
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
