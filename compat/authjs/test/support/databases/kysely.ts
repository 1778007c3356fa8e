import { type Database, KyselyAdapter } from "@auth/kysely-adapter"
import { Kysely, SqliteDialect } from "kysely"
import type { AdapterSetup } from "../adapter-setup.ts"
import { createSqlRows, parseDates } from "./sql-rows.ts"
import { createSqliteQuery, openSqliteMemory, toKyselyDatabase } from "./sqlite.ts"

/** The documented tables of the adapter, for SQLite. */
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

const schemaFixes = [
  `create unique index "Account_key" on "Account" (provider, "providerAccountId")`,
]

const accountNotUnique = "nothing in the documented tables makes an account unique"

export const kyselySetup: AdapterSetup = {
  adapter: "@auth/kysely-adapter",
  database: "SQLite",
  knownFailures: {
    "linkAccount rejects a linked account, and does not change it": accountNotUnique,
    "of two users who link the same account concurrently, one succeeds and the other is rejected":
      accountNotUnique,
    "two concurrent first sign-ins of one person without an address create one user":
      accountNotUnique,
    "64 concurrent first sign-ins of one person without an address create one user":
      accountNotUnique,
  },
  schemaFixes,
  async openDatabase({ amended } = { amended: false }) {
    const database = openSqliteMemory()
    database.exec(createTables)
    if (amended) for (const statement of schemaFixes) database.exec(statement)
    const db = new Kysely<Database>({
      dialect: new SqliteDialect({ database: toKyselyDatabase(database) }),
    })
    const names = {
      user: `"User"`,
      account: `"Account"`,
      session: `"Session"`,
      verificationToken: `"VerificationToken"`,
    }
    const normalizeRow = (row: object) => parseDates(row, (value) => new Date(String(value)))
    return {
      adapter: KyselyAdapter(db),
      ...createSqlRows(createSqliteQuery(database), names, () => "?", normalizeRow),
      [Symbol.asyncDispose]: () => db.destroy(),
    }
  },
}
