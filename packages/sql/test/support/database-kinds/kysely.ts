/** Kysely instances of an application, with a plugin that renames columns. */
import type { DatabaseSync } from "node:sqlite"
import type { PGlite } from "@electric-sql/pglite"
import {
  CamelCasePlugin,
  type Dialect,
  Kysely,
  MysqlDialect,
  PGliteDialect,
  PostgresDialect,
  SqliteDialect,
} from "kysely"
import type { Pool as MysqlPool } from "mysql2/promise"
import type { Pool as PostgresPool } from "pg"
import type { DatabaseKind, TestDatabase } from "./database-kind.ts"
import { mariadbKinds } from "./mariadb.ts"
import { postgresKinds } from "./postgres.ts"
import { sqliteKinds } from "./sqlite.ts"

function createDialect({ name, dialect }: DatabaseKind, { database }: TestDatabase): Dialect {
  if (name === "PGlite") return new PGliteDialect({ pglite: database as PGlite })
  if (dialect === "postgres") return new PostgresDialect({ pool: database as PostgresPool })
  if (dialect === "mysql") return new MysqlDialect({ pool: (database as MysqlPool).pool })
  return new SqliteDialect({ database: toBetterSqlite(database as DatabaseSync) })
}

/** Adapts `DatabaseSync` for the SQLite dialect of Kysely. */
function toBetterSqlite(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => undefined,
    prepare(sql) {
      const statement = database.prepare(sql)
      return {
        reader: statement.columns().length > 0,
        all: (values) => statement.all(...(values as string[])),
        run: (values) => statement.run(...(values as string[])),
        iterate: () => [][Symbol.iterator](),
      }
    },
  }
}

type SqliteDatabase = Exclude<
  ConstructorParameters<typeof SqliteDialect>[0]["database"],
  (...args: never[]) => unknown
>

export const kyselyKinds: readonly DatabaseKind[] = [
  ...sqliteKinds.slice(0, 1),
  ...postgresKinds,
  ...mariadbKinds,
].map((kind) => ({
  name: `Kysely on ${kind.name}`,
  dialect: kind.dialect,
  async open(onFinished) {
    const opened = await kind.open(onFinished)
    const dialect = createDialect(kind, opened)
    const database = new Kysely<Record<string, never>>({
      dialect,
      plugins: [new CamelCasePlugin()],
    })
    return { query: opened.query, database }
  },
}))
