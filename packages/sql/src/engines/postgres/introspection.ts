import type { IntrospectionQueries } from "../../engine.ts"

/** Resolves names of tables as statements do: along the search path. */
const createTableQuery = (sql: string) => (table: string) => ({
  sql,
  parameters: [`"${table}"`],
  returnsRows: true,
})

const indexColumnsFrom =
  "from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)" +
  " where i.indrelid = to_regclass($1) and i.indisvalid and i.indpred is null"

/** Queries on PostgreSQL's catalogs. */
export const introspectionQueries: IntrospectionQueries = {
  columns: createTableQuery(
    "select attname::text as name from pg_attribute" +
      " where attrelid = to_regclass($1) and attnum > 0 and not attisdropped",
  ),
  uniqueIndexes: createTableQuery(
    `select i.indexrelid::text as "index", a.attname::text as "column" ${indexColumnsFrom}` +
      " and i.indisunique and i.indexprs is null and i.indnkeyatts = i.indnatts",
  ),
  leadingIndexColumns: createTableQuery(
    `select a.attname::text as name ${indexColumnsFrom} and a.attnum = i.indkey[0]`,
  ),
  looselyComparedColumns: createTableQuery(
    `select a.attname::text as name, t.typname = 'citext' as "caseOnly" from pg_attribute a` +
      " join pg_type t on t.oid = a.atttypid left join pg_collation c on c.oid = a.attcollation" +
      " where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped" +
      " and (t.typname in ('citext', 'bpchar') or not c.collisdeterministic)",
  ),
  nonDateColumns: createTableQuery(
    "select a.attname::text as name from pg_attribute a join pg_type t on t.oid = a.atttypid" +
      " where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped" +
      " and t.typname not in ('timestamp', 'timestamptz')",
  ),
  foreignKeyColumns: createTableQuery(
    "select a.attname::text as name from pg_constraint c" +
      " join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)" +
      " where c.contype = 'f' and c.conrelid = to_regclass($1)",
  ),
}
