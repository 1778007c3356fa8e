import type { IntrospectionQueries } from "../../engine.ts"

const createTableQuery = (sql: string) => (table: string) => ({
  sql,
  parameters: [table],
  returnsRows: true,
})
const tableCondition = "table_schema = database() and table_name = ?"

/** Queries on MySQL's information schema. */
export const introspectionQueries: IntrospectionQueries = {
  columns: createTableQuery(
    `select column_name as name from information_schema.columns where ${tableCondition}`,
  ),
  uniqueIndexes: createTableQuery(
    "select index_name as `index`, column_name as `column` from information_schema.statistics" +
      ` where ${tableCondition} and non_unique = 0 and sub_part is null`,
  ),
  leadingIndexColumns: createTableQuery(
    `select column_name as name from information_schema.statistics where ${tableCondition} and seq_in_index = 1`,
  ),
  // Of the binary collations, only these two count trailing spaces.
  looselyComparedColumns: createTableQuery(
    "select column_name as name, 0 as `caseOnly` from information_schema.columns" +
      ` where ${tableCondition} and data_type not in ('varbinary', 'blob')` +
      " and coalesce(collation_name, '') not in ('utf8mb4_nopad_bin', 'utf8mb4_0900_bin')",
  ),
  foreignKeyColumns: createTableQuery(
    "select column_name as name from information_schema.key_column_usage" +
      ` where ${tableCondition} and referenced_table_name is not null`,
  ),
}
