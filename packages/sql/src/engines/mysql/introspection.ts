import type { Introspection } from "../../engine.ts"

const about = (sql: string) => (table: string) => ({ sql, parameters: [table], returnsRows: true })
const here = "table_schema = database() and table_name = ?"

/** What MySQL tells of its tables. */
export const introspection: Introspection = {
  columns: about(`select column_name as name from information_schema.columns where ${here}`),
  uniques: about(
    "select index_name as `index`, column_name as `column` from information_schema.statistics" +
      ` where ${here} and non_unique = 0 and sub_part is null`,
  ),
  indexed: about(
    `select column_name as name from information_schema.statistics where ${here} and seq_in_index = 1`,
  ),
  references: about(
    "select column_name as name from information_schema.key_column_usage" +
      ` where ${here} and referenced_table_name is not null`,
  ),
}
