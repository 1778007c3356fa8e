import { readText } from "@latchkey/adapter-kit"
import type { Engine, Statement } from "../engine.ts"
import { SqlError } from "../errors.ts"
import type { Store } from "../store.ts"
import type { Migration } from "./migration.ts"
import {
  createMigrationTable,
  markStepFinished,
  readStepState,
  recordStep,
  selectStep,
} from "./migration-record.ts"

const operation = "migrate"

/** A step and its effect on this database. */
export interface PlannedStep {
  readonly migration: Migration
  readonly statements: readonly Statement[]
  /** Indexes that are created after the step, by the process that applied it. */
  readonly concurrentIndexes: readonly Statement[]
  /** Names of the tables that it creates. */
  readonly createdTables: readonly string[]
}

/**
 * Applies a step.
 * @returns false if another process was first
 */
export function applyStep(store: Store, step: PlannedStep): Promise<boolean> {
  const { withMigrationLock } = store.engine
  return withMigrationLock === undefined
    ? applyInTransaction(store, step)
    : store.wrapErrors(operation, () =>
        withMigrationLock((execute) => applyWithoutTransaction(store, step, execute)),
      )
}

/**
 * Applies a step in one transaction. The first statement records the step under its unique number: if two processes
 * try, the second one fails there, before it has changed anything.
 */
async function applyInTransaction(
  store: Store,
  { migration, statements }: PlannedStep,
): Promise<boolean> {
  const record = [createMigrationTable(store), recordStep(store, migration, true)]
  try {
    await store.transaction(operation, [...record, ...statements])
    return true
  } catch (error) {
    if ((await readStepState(store, migration)) === "finished") return false
    throw error
  }
}

/**
 * Applies a step where schema changes cannot be rolled back. The step is recorded as begun; if the process is
 * interrupted, the next one continues.
 */
async function applyWithoutTransaction(
  store: Store,
  { migration, statements, createdTables }: PlannedStep,
  execute: Engine["execute"],
): Promise<boolean> {
  await execute(createMigrationTable(store))
  const { rows } = await execute(selectStep(store, migration))
  const [stepRecord] = rows
  if (stepRecord !== undefined && Number(stepRecord["finished"]) === 1) return false
  if (stepRecord === undefined) {
    await assertTablesAbsent(store, createdTables, execute)
    await execute(recordStep(store, migration, false))
  }
  for (const statement of statements) await executeIfNotApplied(store, statement, execute)
  await execute(markStepFinished(store, migration))
  return true
}

/** A table that exists before the step was begun belongs to the application. */
async function assertTablesAbsent(
  { engine }: Store,
  creates: readonly string[],
  execute: Engine["execute"],
): Promise<void> {
  for (const table of creates) {
    const { rows } = await execute(engine.dialect.introspection.columns(table))
    if (rows[0] === undefined) continue
    const detail = `table ${table} with the column ${readText(rows[0], "name")}`
    throw new SqlError("name-taken", { operation, detail })
  }
}

async function executeIfNotApplied(
  { engine }: Store,
  statement: Statement,
  execute: Engine["execute"],
): Promise<void> {
  try {
    await execute(statement)
  } catch (error) {
    if (!engine.dialect.isAlreadyAppliedError?.(error)) throw error
  }
}
