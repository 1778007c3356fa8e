import {
  DummyDriver,
  type Dialect as KyselyDialect,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely"
import type { Dialect } from "../../engine.ts"
import { sqliteCodecs } from "./codecs.ts"
import { diagnose } from "./diagnose.ts"

const kysely: KyselyDialect = {
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (database) => new SqliteIntrospector(database),
  createQueryCompiler: () => new SqliteQueryCompiler(),
}

/** SQLite 3.37 or newer. */
export const sqliteDialect: Dialect = {
  name: "sqlite",
  kysely,
  supportsReturning: true,
  codecs: sqliteCodecs,
  columnTypes: {
    boolean: "integer",
    date: "integer",
    integer: "integer",
    json: "text",
    key: "text",
    number: "real",
    text: "text",
  },
  // Without it SQLite would store text in a date column.
  tableOptions: sql`strict`,
  listColumns: (table) => ({
    sql: "select name from pragma_table_info(?)",
    parameters: [table],
    returnsRows: true,
  }),
  diagnose,
}
