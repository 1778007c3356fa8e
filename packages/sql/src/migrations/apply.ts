import type { Engine, Statement } from "../engine.ts"
import { SqlError } from "../errors.ts"
import { text } from "../schema/read.ts"
import type { Store } from "../store.ts"
import type { Migration } from "./migration.ts"
import { createRecord, finishStep, readStep, recordStep, versionOf } from "./record.ts"

const operation = "migrate"

/** A step and what it does to this database. */
export interface Step {
  readonly migration: Migration
  readonly statements: readonly Statement[]
  /** Names of the tables that it creates. */
  readonly creates: readonly string[]
}

/**
 * Applies a step.
 * @returns false when another process was first
 */
export function applyStep(store: Store, step: Step): Promise<boolean> {
  const { alone } = store.engine
  return alone === undefined
    ? applyAtOnce(store, step)
    : store.explained(operation, () => alone((execute) => applyOneByOne(store, step, execute)))
}

/**
 * In one transaction. Its first act is to record the step, under a unique number: when two processes try, the second
 * one fails there, before it has changed anything.
 */
async function applyAtOnce(store: Store, { migration, statements }: Step): Promise<boolean> {
  const record = [createRecord(store), recordStep(store, migration, true)]
  try {
    await store.transaction(operation, [...record, ...statements])
    return true
  } catch (error) {
    if ((await versionOf(store)) >= migration.version) return false
    throw error
  }
}

/**
 * Where every change of the schema stays, whatever happens next: the step is recorded as begun, and the next process
 * goes on where this one was broken off.
 */
async function applyOneByOne(
  store: Store,
  { migration, statements, creates }: Step,
  execute: Engine["execute"],
): Promise<boolean> {
  await execute(createRecord(store))
  const { rows } = await execute(readStep(store, migration))
  const [begun] = rows
  if (begun !== undefined && Number(begun["finished"]) === 1) return false
  if (begun === undefined) {
    await refuseExisting(store, creates, execute)
    await execute(recordStep(store, migration, false))
  }
  for (const statement of statements) await executeOnce(store, statement, execute)
  await execute(finishStep(store, migration))
  return true
}

/** A table that is there before the step was begun is the application's. */
async function refuseExisting(
  { engine }: Store,
  creates: readonly string[],
  execute: Engine["execute"],
): Promise<void> {
  for (const table of creates) {
    const { rows } = await execute(engine.dialect.introspection.columns(table))
    if (rows[0] === undefined) continue
    const detail = `table ${table} with the column ${text(rows[0], "name")}`
    throw new SqlError("table-exists", { operation, detail })
  }
}

async function executeOnce(
  { engine }: Store,
  statement: Statement,
  execute: Engine["execute"],
): Promise<void> {
  try {
    await execute(statement)
  } catch (error) {
    if (!engine.dialect.isDoneAlready?.(error)) throw error
  }
}
