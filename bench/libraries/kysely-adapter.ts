/** The usual adapter of Auth.js for SQLite, set up as in its documentation. */
import { join } from "node:path"
import type { DatabaseSync, SQLInputValue } from "node:sqlite"
import type { Adapter } from "@auth/core/adapters"
import { type Database, KyselyAdapter } from "@auth/kysely-adapter"
import { openSqlite } from "@latchkey/sql/sqlite"
import { Kysely, type SqliteDatabase, SqliteDialect } from "kysely"

const createTables = `
  create table "User" (
    id text primary key default (lower(hex(randomblob(16)))), name text, email text unique,
    "emailVerified" text, image text
  );
  create table "Account" (
    id text primary key default (lower(hex(randomblob(16)))),
    "userId" text not null references "User" (id) on delete cascade,
    type text not null, provider text not null, "providerAccountId" text not null,
    refresh_token text, access_token text, expires_at integer, token_type text, scope text,
    id_token text, session_state text
  );
  create table "Session" (
    id text primary key default (lower(hex(randomblob(16)))),
    "userId" text not null references "User" (id) on delete cascade,
    "sessionToken" text not null unique, expires text not null
  );
  create table "VerificationToken" (
    identifier text not null, token text not null unique, expires text not null
  );
`

/** Opens a database file like that of Latchkey, with the adapter for Kysely. */
export function openKyselyAdapter(folder: string): Adapter {
  const database = openSqlite(join(folder, "kysely.db"))
  database.exec("pragma synchronous = off") // filling it is not measured, and nothing else writes
  database.exec(createTables)
  const dialect = new SqliteDialect({ database: toKyselyDatabase(database) })
  return KyselyAdapter(new Kysely<Database>({ dialect }))
}

/** Adapts the database for Kysely, which prepares each statement again, whatever the driver. */
function toKyselyDatabase(database: DatabaseSync): SqliteDatabase {
  // Other drivers for Kysely know this for free; here it would take time for each statement.
  const readers = new Map<string, boolean>()
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql)
      const reader = readers.get(sql) ?? statement.columns().length > 0
      readers.set(sql, reader)
      const parameters = (all: readonly unknown[]) => all as SQLInputValue[]
      return {
        reader,
        all: (parameterValues) => statement.all(...parameters(parameterValues)),
        run: (parameterValues) => statement.run(...parameters(parameterValues)),
        iterate: (parameterValues) => statement.iterate(...parameters(parameterValues)),
      }
    },
  }
}
