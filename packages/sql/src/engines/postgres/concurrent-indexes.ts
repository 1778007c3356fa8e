import type { ConcurrentIndexes } from "../../engine.ts"

const quote = (name: string): string => `"${name}"`

/** About as much as PostgreSQL indexes in a fifth of a second. */
const largeTableBytes = 16 * 1024 * 1024

/** `create index concurrently`. If it is interrupted, it leaves an invalid index, which no statement uses. */
export const concurrentIndexes: ConcurrentIndexes = {
  // A partitioned table, which cannot have such an index, has a size of 0.
  findLargeTable: (table) => ({
    sql: `select 1 where pg_relation_size(to_regclass($1)) > ${largeTableBytes}`,
    parameters: [quote(table)],
    returnsRows: true,
  }),
  readState: (table, index) => ({
    sql:
      "select exists(select from pg_stat_progress_create_index where relid = to_regclass($1))" +
      ` as "isBuilding", exists(select from pg_index where indexrelid = to_regclass($2)` +
      ` and not indisvalid) as "isInvalid"`,
    parameters: [quote(table), quote(index)],
    returnsRows: true,
  }),
  create: (statement) => ({
    ...statement,
    sql: statement.sql.replace(/^create (unique )?index /, "$&concurrently "),
  }),
  drop: (index) => ({
    sql: `drop index concurrently if exists ${quote(index)}`,
    parameters: [],
    returnsRows: false,
  }),
}
