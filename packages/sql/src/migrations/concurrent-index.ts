/** Creates indexes of large tables, on databases that can do so while rows are written. */
import type { ConcurrentIndexes, Statement } from "../engine.ts"
import { SqlError } from "../errors.ts"
import type { Store } from "../store.ts"
import { isSameSet, readIndexedColumns, readUniqueIndexes } from "./existing-tables.ts"
import type { NewIndex } from "./migration.ts"

const operation = "migrate"

/** How often a process looks whether another one has finished, in milliseconds. */
const pollInterval = 100

/** How often the database may refuse an index because other connections have to finish first. */
const maxRefusals = 20

/** An index that a table lacks, with the statement that creates it in a transaction. */
export interface MissingIndex extends Omit<NewIndex, "create"> {
  readonly statement: Statement
}

/**
 * Creates an index, unless another process does. One that was not completed is replaced. No transaction may be open: the
 * database waits for all of them.
 *
 * @throws SqlError `name-taken` if another index has the name, `duplicate` if rows violate a unique index
 */
export async function createIndexConcurrently(
  store: Store,
  index: MissingIndex,
  indexes: ConcurrentIndexes,
): Promise<void> {
  let refusals = 0
  while (!(await isPresent(store, index))) {
    const { isBuilding, isInvalid } = await readState(store, index, indexes)
    if (isBuilding) {
      await wait()
      continue
    }
    if (isInvalid) await store.run(operation, indexes.drop(index.name))
    try {
      await store.run(operation, indexes.create(index.statement))
    } catch (error) {
      const state = await readState(store, index, indexes)
      refusals += 1
      if (refusals > maxRefusals || !(await isMadeByOthers(store, index, state, error))) {
        if (state.isInvalid) await store.run(operation, indexes.drop(index.name))
        throw error
      }
      await wait()
    }
  }
}

/**
 * Whether another process has created the index, does so now, or caused a deadlock: two that start at once wait for each
 * other, until the database refuses one of them, which leaves an index that is not complete.
 */
async function isMadeByOthers(
  store: Store,
  index: MissingIndex,
  { isBuilding, isInvalid }: IndexState,
  error: unknown,
): Promise<boolean> {
  const code = error instanceof SqlError ? error.code : undefined
  if (code === "busy" || isBuilding || (isInvalid && code === "name-taken")) return true
  return isPresent(store, index)
}

async function isPresent(store: Store, { table, columns, isUnique }: MissingIndex) {
  if (isUnique)
    return (await readUniqueIndexes(store, table)).some((index) => isSameSet(index, columns))
  const indexed = await readIndexedColumns(store, table)
  return columns.every((column) => indexed.has(column))
}

interface IndexState {
  /** Whether an index of the table is being created. */
  readonly isBuilding: boolean
  /** Whether the index exists, and is not complete. */
  readonly isInvalid: boolean
}

async function readState(
  store: Store,
  { table, name }: MissingIndex,
  indexes: ConcurrentIndexes,
): Promise<IndexState> {
  const { rows } = await store.run(operation, indexes.readState(table, name))
  const [row] = rows
  return {
    isBuilding: row?.["isBuilding"] === true,
    isInvalid: row?.["isInvalid"] === true,
  }
}

/** Waits for a time that is different for each process. */
function wait(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pollInterval * (0.5 + Math.random())))
}
