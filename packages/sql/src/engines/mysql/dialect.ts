import { MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler, sql } from "kysely"
import type { Dialect } from "../../engine.ts"
import { createCompileOnlyDialect } from "../compile-only-dialect.ts"
import { mysqlCodecs } from "./codecs.ts"
import { diagnoseError, isAlreadyAppliedError } from "./diagnose-error.ts"
import { introspectionQueries } from "./introspection.ts"

/**
 * Compares every character, including trailing spaces. MySQL and MariaDB have different names for this collation, and
 * each executes only its own kind of comment. `utf8mb4_bin`, which both have, treats "a " and "a" as equal.
 */
const exactCollation =
  "character set utf8mb4 collate /*!80017 utf8mb4_0900_bin */ /*M! utf8mb4_nopad_bin */"

/** MySQL 8.0.17 or newer, and MariaDB 10.5 or newer. */
export const mysqlDialect: Dialect = {
  name: "mysql",
  kysely: createCompileOnlyDialect({
    createAdapter: () => new MysqlAdapter(),
    createIntrospector: (database) => new MysqlIntrospector(database),
    createQueryCompiler: () => new MysqlQueryCompiler(),
  }),
  supportsReturning: false,
  supportsTransactionalDdl: false,
  supportsAddForeignKey: true,
  comparesTextExactly: false,
  supportsInsertIgnore: true,
  deleteLimitStyle: "clause",
  codecs: mysqlCodecs,
  columnTypes: {
    boolean: "boolean",
    date: sql`datetime(3)`,
    integer: "bigint",
    json: sql`longtext`,
    key: (maxLength) => sql.raw(`varchar(${maxLength}) ${exactCollation}`),
    number: sql`double`,
    text: sql`longtext`,
  },
  autoIncrementIds: { type: "bigint", applyAutoIncrement: (column) => column.autoIncrement() },
  now: sql`utc_timestamp(3)`,
  tableOptions: sql`engine = InnoDB default character set = utf8mb4`,
  selectDate: (column) => sql`cast(${column} as char)`,
  introspection: introspectionQueries,
  diagnoseError,
  isAlreadyAppliedError,
}
