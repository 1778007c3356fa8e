import type { Statement } from "../engine.ts"
import type { Store } from "../store.ts"
import { columnsOf } from "./existing.ts"
import { statementOf } from "./record.ts"

/** A column for a declared field of users. */
export interface NewField {
  readonly name: string
  readonly statement: Statement
}

/** The columns for declared fields, each with the statement that adds it. */
export function fieldsOf({ engine, query, userFields }: Store): readonly NewField[] {
  return Object.entries(userFields).map(([name, kind]) => {
    const type = engine.dialect.columnTypes[kind]
    return { name, statement: statementOf(query.schema.alterTable("User").addColumn(name, type)) }
  })
}

/** Those that the table of users lacks. Columns are never changed or removed. */
export async function missingFields(store: Store): Promise<readonly NewField[]> {
  const fields = fieldsOf(store)
  if (fields.length === 0) return []
  const present = await columnsOf(store, store.layout.tables.User)
  return fields.filter(({ name }) => !present.has(name))
}

/** @returns false when another process was first */
export async function addField(store: Store, name: string, statement: Statement): Promise<boolean> {
  try {
    await store.transaction("migrate", [statement])
    return true
  } catch (error) {
    if ((await columnsOf(store, store.layout.tables.User)).has(name)) return false
    throw error
  }
}
