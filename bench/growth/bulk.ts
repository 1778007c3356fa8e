/** Filling a table without its indices, which are made afterwards as they were. */
import type { Client } from "pg"

/**
 * How full the pages of indices are, in percent. Those that are made at once are fuller (90) than those that grew by
 * random keys, of which an application's consist.
 */
const fullness = 70

interface Part {
  readonly table: string
  readonly name: string
  readonly definition: string
  /** `f` for a foreign key, `p` and `u` for a key, `i` for an index. */
  readonly kind: string
}

const constraints = `select conrelid::regclass::text as table, quote_ident(conname) as name, contype as kind,
    pg_get_constraintdef(oid) as definition
  from pg_constraint where connamespace = current_schema()::regnamespace and contype in ('f', 'p', 'u')`

const indices = `select i.indrelid::regclass::text as table, i.indexrelid::regclass::text as name, 'i' as kind,
    pg_get_indexdef(i.indexrelid) as definition
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = current_schema()::regnamespace
    and not exists (select from pg_constraint where conindid = i.indexrelid)`

/** Does what fills the tables of the current schema while they have no indices and keys. */
export async function withoutIndices(client: Client, fill: () => Promise<void>): Promise<void> {
  const own = (await client.query<Part>(constraints)).rows
  const parts = [...own, ...(await client.query<Part>(indices)).rows]
  // Foreign keys rest on keys.
  const order = ["f", "i", "u", "p"]
  const sorted = parts.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
  for (const part of sorted) await client.query(removal(part))
  await fill()
  for (const part of sorted.toReversed()) await client.query(restoration(part))
}

function removal({ table, name, kind }: Part): string {
  return kind === "i" ? `drop index ${name}` : `alter table ${table} drop constraint ${name}`
}

function restoration({ table, name, kind, definition }: Part): string {
  const storage = kind === "f" ? "" : ` with (fillfactor = ${fullness})`
  return kind === "i"
    ? definition + storage
    : `alter table ${table} add constraint ${name} ${definition}${storage}`
}
