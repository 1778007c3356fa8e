/** Creates indexes of large tables, on databases that can do so while rows are written. */
import type { ConcurrentIndexes, Statement } from "../engine.ts"
import { SqlError } from "../errors.ts"
import type { Store } from "../store.ts"
import { readIndexedColumns } from "./existing-tables.ts"

const operation = "migrate"

/** How often a process looks whether another one has finished, in milliseconds. */
const pollInterval = 100

/** How often the database may refuse an index because other connections have to finish first. */
const maxRefusals = 20

/** An index that an adopted table lacks. */
export interface MissingIndex {
  readonly name: string
  readonly table: string
  readonly column: string
  /** The statement that creates it in a transaction. */
  readonly statement: Statement
}

/**
 * Creates an index, unless another process does. One that was not completed is replaced. No transaction may be open: the
 * database waits for all of them.
 *
 * @throws SqlError `name-taken` if another index has the name
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
      // Two processes that begin at the same moment wait for each other, until the database refuses one of them.
      const isRefused = error instanceof SqlError && error.code === "busy"
      const isOthers = (await readState(store, index, indexes)).isBuilding
      if (!isOthers && !(isRefused && refusals < maxRefusals) && !(await isPresent(store, index)))
        throw error
      refusals += 1
      await wait()
    }
  }
}

async function isPresent(store: Store, { table, column }: MissingIndex): Promise<boolean> {
  return (await readIndexedColumns(store, table)).has(column)
}

async function readState(store: Store, { table, name }: MissingIndex, indexes: ConcurrentIndexes) {
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
