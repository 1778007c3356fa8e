import type { Engine, Statement } from "../engine.ts"
import { SqlError } from "../errors.ts"
import { readText } from "../schema/read-column.ts"
import type { Store } from "../store.ts"
import type { Migration } from "./migration.ts"
import {
  createMigrationTable,
  markStepFinished,
  readVersion,
  recordStep,
  selectStep,
} from "./migration-record.ts"

const operation = "migrate"

/** A step and what it does to this database. */
export interface PlannedStep {
  readonly migration: Migration
  readonly statements: readonly Statement[]
  /** Names of the tables that it creates. */
  readonly createdTables: readonly string[]
}

/**
 * Applies a step.
 * @returns false when another process was first
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
 * In one transaction. Its first act is to record the step, under a unique number: when two processes try, the second
 * one fails there, before it has changed anything.
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
    if ((await readVersion(store)) >= migration.version) return false
    throw error
  }
}

/**
 * Where every change of the schema stays, whatever happens next: the step is recorded as begun, and the next process
 * goes on where this one was broken off.
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

/** A table that is there before the step was begun is the application's. */
async function assertTablesAbsent(
  { engine }: Store,
  creates: readonly string[],
  execute: Engine["execute"],
): Promise<void> {
  for (const table of creates) {
    const { rows } = await execute(engine.dialect.introspection.columns(table))
    if (rows[0] === undefined) continue
    const detail = `table ${table} with the column ${readText(rows[0], "name")}`
    throw new SqlError("table-exists", { operation, detail })
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
