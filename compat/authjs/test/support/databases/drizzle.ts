import { DrizzleAdapter } from "@auth/drizzle-adapter"
import { PGlite } from "@electric-sql/pglite"
import { drizzle as drizzlePglite } from "drizzle-orm/pglite"
import { drizzle as drizzleProxy } from "drizzle-orm/sqlite-proxy"
import type { AdapterSetup } from "../adapter-setup.ts"
import { createSqlRows, parseDates } from "./sql-rows.ts"
import { createSqliteQuery, openSqliteMemory, runForDrizzle } from "./sqlite.ts"

/** The default tables of the adapter. */
const createTables = (timestamp: string) => `
  create table "user" (
    id text primary key, name text, email text unique, "emailVerified" ${timestamp}, image text
  );
  create table account (
    "userId" text not null references "user" (id) on delete cascade,
    type text not null, provider text not null, "providerAccountId" text not null,
    refresh_token text, access_token text, expires_at integer, token_type text, scope text,
    id_token text, session_state text, primary key (provider, "providerAccountId")
  );
  create table session (
    "sessionToken" text primary key,
    "userId" text not null references "user" (id) on delete cascade, expires ${timestamp} not null
  );
  create table "verificationToken" (
    identifier text not null, token text not null, expires ${timestamp} not null,
    primary key (identifier, token)
  );
`

const tableNames = {
  user: `"user"`,
  account: "account",
  session: "session",
  verificationToken: `"verificationToken"`,
}

const sqliteSetup: AdapterSetup = {
  adapter: "@auth/drizzle-adapter",
  database: "SQLite",
  knownFailures: {},
  async openDatabase() {
    const database = openSqliteMemory()
    database.exec(createTables("integer"))
    const db = drizzleProxy((sql, parameters, method) =>
      runForDrizzle(database, sql, parameters, method),
    )
    const normalizeRow = (row: object) => parseDates(row, (value) => new Date(Number(value)))
    return {
      adapter: DrizzleAdapter(db),
      ...createSqlRows(createSqliteQuery(database), tableNames, () => "?", normalizeRow),
      [Symbol.asyncDispose]: async () => database.close(),
    }
  },
}

const pgliteSetup: AdapterSetup = {
  adapter: "@auth/drizzle-adapter",
  database: "PGlite",
  knownFailures: {},
  async openDatabase() {
    const client = await PGlite.create()
    await client.exec(createTables("timestamp"))
    const query = async (sql: string, parameters: readonly unknown[] = []) =>
      (await client.query<object>(sql, [...parameters])).rows
    return {
      adapter: DrizzleAdapter(drizzlePglite(client)),
      // The column has no time zone and contains UTC, so it is read as text.
      ...createSqlRows(query, tableNames, (index) => `$${index}`),
      [Symbol.asyncDispose]: () => client.close(),
    }
  },
}

export const drizzleSetups: readonly AdapterSetup[] = [sqliteSetup, pgliteSetup]
