import PostgresAdapter from "@auth/pg-adapter"
import { Pool } from "pg"
import type { AdapterSetup } from "../adapter-setup.ts"
import { postgresServers } from "./postgres.ts"
import { createSqlRows } from "./sql-rows.ts"

/** The documented tables of the adapter, with integer ids. */
const createTables = `
  create table verification_token (
    identifier text not null, expires timestamptz not null, token text not null,
    primary key (identifier, token)
  );
  create table accounts (
    id serial primary key, "userId" integer not null, type varchar(255) not null,
    provider varchar(255) not null, "providerAccountId" varchar(255) not null,
    refresh_token text, access_token text, expires_at bigint, id_token text, scope text,
    session_state text, token_type text
  );
  create table sessions (
    id serial primary key, "userId" integer not null, expires timestamptz not null,
    "sessionToken" varchar(255) not null
  );
  create table users (
    id serial primary key, name varchar(255), email varchar(255), "emailVerified" timestamptz,
    image text
  );
`

const tableNames = {
  user: "users",
  account: "accounts",
  session: "sessions",
  verificationToken: "verification_token",
}

const schemaFixes = [
  "create unique index users_email on users (email)",
  `create unique index accounts_key on accounts (provider, "providerAccountId")`,
]

const accountNotUnique = "nothing in the documented tables makes an account unique"
const emailNotUnique = "nothing in the documented tables makes an address unique"

export const pgSetups: readonly AdapterSetup[] = postgresServers.map((postgres) => ({
  adapter: "@auth/pg-adapter",
  database: postgres.name,
  onEveryPostgres: true,
  knownFailures: {
    "createUser rejects an address that is taken": emailNotUnique,
    "linkAccount rejects a linked account, and does not change it": accountNotUnique,
    "of two users who link the same account concurrently, one succeeds and the other is rejected":
      accountNotUnique,
    "of two users with the same address that are created concurrently, one is stored":
      emailNotUnique,
    "two concurrent first sign-ins of one person create one user": emailNotUnique,
    "two concurrent first sign-ins of one person without an address create one user":
      accountNotUnique,
    "64 concurrent first sign-ins of one person without an address create one user":
      accountNotUnique,
    "64 concurrent first sign-ins of one person create one user": emailNotUnique,
  },
  schemaFixes,
  async openDatabase({ amended } = { amended: false }) {
    const server = await postgres.createDatabase()
    const pool = new Pool({ connectionString: server.url, max: 4 })
    pool.on("error", () => undefined) // the server stops before its idle connections
    await pool.query(createTables)
    if (amended) for (const statement of schemaFixes) await pool.query(statement)
    const query = async (sql: string, parameters: readonly unknown[] = []) =>
      (await pool.query(sql, [...parameters])).rows
    return {
      adapter: PostgresAdapter(pool),
      ...createSqlRows(query, tableNames, (index) => `$${index}`, parseNumbers),
      async [Symbol.asyncDispose]() {
        await pool.end()
        await server.close()
      },
    }
  },
}))

/** The driver returns 64-bit integers as text. */
function parseNumbers(row: object): object {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    name === "expires_at" && value !== null ? Number(value) : value,
  ])
  return Object.fromEntries(entries)
}
