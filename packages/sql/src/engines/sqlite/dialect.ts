import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely"
import type { Dialect } from "../../engine.ts"
import { createCompileOnlyDialect } from "../compile-only-dialect.ts"
import { sqliteCodecs } from "./codecs.ts"
import { diagnoseError } from "./diagnose-error.ts"
import { introspectionQueries } from "./introspection.ts"

/** SQLite 3.37 or newer. */
export const sqliteDialect: Dialect = {
  name: "sqlite",
  kysely: createCompileOnlyDialect({
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }),
  supportsReturning: true,
  supportsTransactionalDdl: true,
  supportsAddForeignKey: false,
  comparesTextExactly: true,
  deleteLimitStyle: "subquery",
  codecs: sqliteCodecs,
  columnTypes: {
    boolean: "integer",
    date: "integer",
    integer: "integer",
    json: "text",
    key: () => "text",
    number: "real",
    text: "text",
  },
  // AUTOINCREMENT, so that the id of a deleted user is never reused.
  autoIncrementIds: { type: "integer", applyAutoIncrement: (column) => column.autoIncrement() },
  now: sql`cast(round(unixepoch('subsec') * 1000) as integer)`,
  // Without STRICT, SQLite would store text in a date column.
  tableOptions: sql`strict`,
  selectDate: (column) => column,
  introspection: introspectionQueries,
  diagnoseError,
}
