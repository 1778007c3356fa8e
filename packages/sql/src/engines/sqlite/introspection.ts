import type { IntrospectionQueries } from "../../engine.ts"

/** Types that convert text to numbers: https://www.sqlite.org/datatype3.html#determination_of_column_affinity */
const numericAffinity =
  "type like '%int%' or type <> '' and type not like '%char%' and type not like '%clob%'" +
  " and type not like '%text%' and type not like '%blob%'"

/** Selects no row of the table, and one text in the column's place: it is compared as the column compares. */
const createComparisonQuery = (table: string, column: string) =>
  `select '${column}' as name, c = 'A' as "caseOnly"` +
  ` from (select "${column}" as c from "${table}" where 0 union all select 'a') where c = 'A' or c = 'a '`

/** Finds seconds and text. No date of an account is in the first years after 1970. */
const createNonDateQuery = (table: string, column: string) =>
  `select '${column}' as name where exists (select 1 from "${table}"` +
  ` where typeof("${column}") not in ('integer', 'null') or "${column}" between 1 and 99999999999)`

const createTableQuery = (sql: string) => (table: string) => ({
  sql,
  parameters: [table],
  returnsRows: true,
})

/** Queries on SQLite's pragmas: https://www.sqlite.org/pragma.html */
export const introspectionQueries: IntrospectionQueries = {
  columns: createTableQuery("select name from pragma_table_info(?)"),
  uniqueIndexes: createTableQuery(
    'select l.name as "index", i.name as "column" from pragma_index_list(?) l, pragma_index_info(l.name) i' +
      ' where l."unique" = 1 and l.partial = 0' +
      " and not exists (select 1 from pragma_index_info(l.name) e where e.name is null)",
  ),
  leadingIndexColumns: createTableQuery(
    "select i.name as name from pragma_index_list(?) l, pragma_index_info(l.name) i" +
      " where i.seqno = 0 and i.name is not null",
  ),
  looselyComparedColumns: (table, columns) => ({
    sql: [
      `select name, 0 as "caseOnly" from pragma_table_info(?) where ${numericAffinity}`,
      ...columns.map((column) => createComparisonQuery(table, column)),
    ].join(" union all "),
    parameters: [table],
    returnsRows: true,
  }),
  nonDateColumns: (table, columns) => ({
    sql: columns.map((column) => createNonDateQuery(table, column)).join(" union all "),
    parameters: [],
    returnsRows: true,
  }),
  // Without AUTOINCREMENT, the highest id is used again: https://www.sqlite.org/autoinc.html
  reusedIds: createTableQuery(
    "select 1 from sqlite_master where type = 'table' and name = ? collate nocase" +
      " and sql not like '%primary key autoincrement%'",
  ),
  foreignKeyColumns: createTableQuery('select "from" as name from pragma_foreign_key_list(?)'),
}
