/** Measures the disk space of tables and indices. */
import type { GrowthDatabase } from "./database.ts"

/** A table or an index. */
export interface StorageSize {
  readonly table: string
  /** The index; null for the table itself. */
  readonly index: string | null
  readonly bytes: number
  /** The levels of the index; null for the table. */
  readonly levels: number | null
}

const storageSizesQuery = `
  select c.relname as table, null as index, pg_table_size(c.oid)::float8 as bytes, null::int as levels
  from pg_class c
  where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relname in ('User', 'Account', 'Session')
  union all
  select c.relname, x.relname, pg_relation_size(x.oid)::float8, (bt_metap(i.indexrelid::regclass::text)).level::int + 1
  from pg_index i join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
  where c.relnamespace = current_schema()::regnamespace and c.relname in ('User', 'Account', 'Session')
  order by 1, 2 nulls first`

/** The tables for session checks and sign-ins, and their indices. */
export async function readStorageSizes(
  database: GrowthDatabase,
  sessionCount: number,
): Promise<StorageSize[]> {
  await using client = await database.connectToSize(sessionCount)
  const { rows } = await client.query<StorageSize>(storageSizesQuery)
  return rows
}
