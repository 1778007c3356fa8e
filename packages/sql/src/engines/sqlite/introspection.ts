import type { Introspection } from "../../engine.ts"

const about = (sql: string) => (table: string) => ({ sql, parameters: [table], returnsRows: true })

/** What SQLite tells of its tables: https://www.sqlite.org/pragma.html */
export const introspection: Introspection = {
  columns: about("select name from pragma_table_info(?)"),
  uniques: about(
    'select l.name as "index", i.name as "column" from pragma_index_list(?) l, pragma_index_info(l.name) i' +
      ' where l."unique" = 1 and l.partial = 0',
  ),
  indexed: about(
    "select i.name as name from pragma_index_list(?) l, pragma_index_info(l.name) i where i.seqno = 0",
  ),
  references: about('select "from" as name from pragma_foreign_key_list(?)'),
}
