/** Finds tables that give the id of a deleted user to a new one. */
import type { Store } from "./store.ts"

/** A table whose ids are used again. */
export interface ReusedIds {
  readonly table: string
  /** How to change that. */
  readonly fix: string
}

/** Inspects the table of users, if the database chooses their ids. Rejects with an `SqlError` if it cannot. */
export async function findReusedIds(store: Store): Promise<readonly ReusedIds[]> {
  const { reusedIds } = store.engine.dialect.introspection
  const table = store.layout.tables.User
  if (!reusedIds || store.codecs.id.source !== "database") return []
  const { rows } = await store.run("inspectColumns", reusedIds(table))
  if (rows.length === 0) return []
  const fix = `Copy the rows of "${table}" into a new table whose id is "integer primary key autoincrement", and give it the name of the old one, as in https://www.sqlite.org/lang_altertable.html#otheralter.`
  return [{ table, fix }]
}
