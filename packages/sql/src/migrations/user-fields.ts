import { bind, compile } from "../query.ts"
import { text } from "../schema/read.ts"
import type { Store } from "../store.ts"

const operation = "migrate"

/**
 * Adds the columns of declared fields that the table of users lacks. Columns are never changed or removed.
 * @returns the names of the columns that were added
 */
export async function addUserFields(store: Store): Promise<readonly string[]> {
  const declared = Object.keys(store.userFields)
  if (declared.length === 0) return []
  const added: string[] = []
  const present = await columnsOf(store)
  for (const name of declared.filter((field) => !present.has(field))) {
    if (await addField(store, name)) added.push(name)
  }
  return added
}

/** @returns false when another process was first */
async function addField(store: Store, name: string): Promise<boolean> {
  const kind = store.userFields[name] ?? "text"
  const type = store.engine.dialect.columnTypes[kind]
  const change = compile(store.query.schema.alterTable("User").addColumn(name, type))
  try {
    await store.transaction(operation, [bind(change, {})])
    return true
  } catch (error) {
    if ((await columnsOf(store)).has(name)) return false
    throw error
  }
}

async function columnsOf(store: Store): Promise<ReadonlySet<string>> {
  const { engine, names } = store
  const { rows } = await store.run(operation, engine.dialect.listColumns(names.User))
  return new Set(rows.map((row) => text(row, "name")))
}
