import type { Statement } from "../engine.ts"
import type { Store } from "../store.ts"
import { readColumnNames } from "./existing-tables.ts"
import { compileStatement } from "./migration-record.ts"

/** A column for an additional field of users. */
export interface UserFieldColumn {
  readonly name: string
  readonly statement: Statement
}

/** Returns the columns for additional fields, each with the statement that adds it. */
export function createUserFieldColumns({
  engine,
  query,
  userFields,
}: Store): readonly UserFieldColumn[] {
  return Object.entries(userFields).map(([name, kind]) => {
    const type = engine.dialect.columnTypes[kind]
    return {
      name,
      statement: compileStatement(query.schema.alterTable("User").addColumn(name, type)),
    }
  })
}

/** Returns the columns that the table of users lacks. Columns are never changed or removed. */
export async function findMissingUserFields(store: Store): Promise<readonly UserFieldColumn[]> {
  const fields = createUserFieldColumns(store)
  if (fields.length === 0) return []
  const existingColumns = await readColumnNames(store, store.layout.tables.User)
  return fields.filter(({ name }) => !existingColumns.has(name))
}

/** @returns false if another process was first */
export async function addUserField(
  store: Store,
  name: string,
  statement: Statement,
): Promise<boolean> {
  try {
    await store.transaction("migrate", [statement])
    return true
  } catch (error) {
    if ((await readColumnNames(store, store.layout.tables.User)).has(name)) return false
    throw error
  }
}
