import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from "kysely"
import type { Dialect } from "../../engine.ts"
import { createCompileOnlyDialect } from "../compile-only-dialect.ts"
import { postgresCodecs } from "./codecs.ts"
import { concurrentIndexing } from "./concurrent-indexing.ts"
import { diagnoseError } from "./diagnose-error.ts"
import { introspectionQueries } from "./introspection.ts"

/** PostgreSQL 12 or newer, and compatible databases. */
export const postgresDialect: Dialect = {
  name: "postgres",
  kysely: createCompileOnlyDialect({
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }),
  supportsReturning: true,
  supportsTransactionalDdl: true,
  supportsAddForeignKey: true,
  concurrentIndexing,
  comparesTextExactly: true,
  deleteLimitStyle: "subquery",
  codecs: postgresCodecs,
  columnTypes: {
    boolean: "boolean",
    date: sql`timestamptz(3)`,
    integer: "bigint",
    json: "text",
    // Compares bytes, whatever the locale of the database.
    key: () => sql`text collate "C"`,
    number: "double precision",
    text: "text",
  },
  autoIncrementIds: {
    type: "bigint",
    applyAutoIncrement: (column) => column.generatedByDefaultAsIdentity(),
  },
  now: sql`current_timestamp`,
  // Columns without a time zone, as other libraries create them, are in UTC.
  selectDate: (column) => sql`(extract(epoch from ${column}) * 1000)::bigint`,
  introspection: introspectionQueries,
  diagnoseError,
}
