import type { ConcurrentIndexing } from "../../engine.ts"

/** About as much as PostgreSQL indexes in a fifth of a second. */
const largeTableBytes = 16 * 1024 * 1024

/** `create index concurrently`, and constraints that are validated later. */
export const concurrentIndexing: ConcurrentIndexing = {
  // A partitioned table, which cannot have such an index, has a size of 0.
  findLargeTable: (table) => ({
    sql: `select 1 where pg_relation_size(to_regclass($1)) > ${largeTableBytes}`,
    parameters: [`"${table}"`],
    returnsRows: true,
  }),
  create: (statement) => ({
    ...statement,
    sql: statement.sql.replace(/^create index /, "$&concurrently "),
    isRepeatable: false, // a failed attempt leaves an invalid index of this name
  }),
  listConstraintStatements({ sql }) {
    const [, table, name] = /^(alter table ".+?") add constraint (".+?") /.exec(sql) ?? []
    if (!table) return [sql.replace(/^create unique index /, "$&concurrently ")]
    return [`${sql} not valid`, `${table} validate constraint ${name}`]
  },
}
