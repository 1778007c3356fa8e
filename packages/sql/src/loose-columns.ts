/** Finds key columns that treat different texts as equal, such as `é` and `e`. */
import { lookupFields, toleratesCase } from "./migrations/entities/adoption-problem.ts"
import { type KeyColumn, maxKeyLengths } from "./schema/key-lengths.ts"
import type { EntityName } from "./schema/tables.ts"
import type { Store } from "./store.ts"

/** A column that treats different texts as equal. */
export interface LooseColumn {
  /** The table and the column. */
  readonly column: string
  /** The statement that makes it compare exactly, or what to do instead. */
  readonly fix: string
}

/** Inspects the tables. Rejects with an `SqlError` if it cannot. */
export async function findLooseColumns(store: Store): Promise<readonly LooseColumn[]> {
  const { looselyComparedColumns } = store.engine.dialect.introspection
  const found: LooseColumn[] = []
  for (const [entity, fields] of Object.entries(lookupFields) as [EntityName, string[]][]) {
    const table = store.layout.tables[entity]
    const columnOf = (field: string) => store.layout.column(entity, field) ?? field
    const statement = looselyComparedColumns(table, fields.map(columnOf))
    const { rows } = await store.run("inspectColumns", statement)
    for (const field of fields) {
      const column = columnOf(field)
      const loose = rows.filter(({ name }) => name === column)
      if (loose.every(({ caseOnly }) => Boolean(caseOnly) && toleratesCase(field))) continue
      const fix = buildFix(store, entity, field as KeyField, column)
      found.push({ column: `${table}.${column}`, fix })
    }
  }
  return found
}

type KeyField = KeyColumn extends `${string}.${infer Field}` ? Field : never

function buildFix(
  { engine: { dialect }, query }: Store,
  entity: EntityName,
  field: KeyField,
  column: string,
): string {
  if (dialect.name === "sqlite")
    return "Copy the rows into new tables: SQLite cannot change the collation of a column."
  const type = dialect.columnTypes.key(maxKeyLengths[`${entity}.${field}` as KeyColumn])
  const table = query.schema.alterTable(entity)
  const change =
    dialect.name === "mysql"
      ? table.modifyColumn(column, type, (each) => (field === "email" ? each : each.notNull()))
      : table.alterColumn(column, (each) => each.setDataType(type))
  return change.compile().sql
}

/** Logs a warning for each such column. Never rejects: a database that cannot be inspected still works. */
export async function warnAboutLooseColumns(store: Store): Promise<void> {
  const found = await findLooseColumns(store).catch(() => [])
  for (const { column, fix } of found)
    console.warn(
      `[latchkey] The column ${column} treats different texts as equal. Latchkey rejects such matches, but other users cannot register. Fix: ${fix}`,
    )
}
