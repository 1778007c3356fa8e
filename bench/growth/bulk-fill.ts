/** Fills tables without indices, and recreates the indices afterwards. */
import type { Client } from "pg"

/**
 * The fill factor of indices, in percent. Indices that are built at once are fuller (90) than those that grew with
 * random keys, as in an application.
 */
const fillFactor = 70

interface SchemaObject {
  readonly table: string
  readonly name: string
  readonly definition: string
  /** `f` for a foreign key, `p` and `u` for a key, `i` for an index. */
  readonly kind: string
}

const constraintsQuery = `select conrelid::regclass::text as table, quote_ident(conname) as name, contype as kind,
    pg_get_constraintdef(oid) as definition
  from pg_constraint where connamespace = current_schema()::regnamespace and contype in ('f', 'p', 'u')`

const indicesQuery = `select i.indrelid::regclass::text as table, i.indexrelid::regclass::text as name, 'i' as kind,
    pg_get_indexdef(i.indexrelid) as definition
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = current_schema()::regnamespace
    and not exists (select from pg_constraint where conindid = i.indexrelid)`

/** Runs a function that fills the tables of the current schema while they have no indices and keys. */
export async function fillWithoutIndices(client: Client, fill: () => Promise<void>): Promise<void> {
  const constraintRows = (await client.query<SchemaObject>(constraintsQuery)).rows
  const schemaObjects = [
    ...constraintRows,
    ...(await client.query<SchemaObject>(indicesQuery)).rows,
  ]
  // Foreign keys depend on keys.
  const order = ["f", "i", "u", "p"]
  const sorted = schemaObjects.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
  for (const schemaObject of sorted) await client.query(createDropStatement(schemaObject))
  await fill()
  for (const schemaObject of sorted.toReversed())
    await client.query(createRestoreStatement(schemaObject))
}

function createDropStatement({ table, name, kind }: SchemaObject): string {
  return kind === "i" ? `drop index ${name}` : `alter table ${table} drop constraint ${name}`
}

function createRestoreStatement({ table, name, kind, definition }: SchemaObject): string {
  const storage = kind === "f" ? "" : ` with (fillfactor = ${fillFactor})`
  return kind === "i"
    ? definition + storage
    : `alter table ${table} add constraint ${name} ${definition}${storage}`
}
