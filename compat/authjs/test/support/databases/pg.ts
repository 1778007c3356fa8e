import PostgresAdapter from "@auth/pg-adapter"
import type { AdapterSetup } from "../adapter-setup.ts"
import {
  createPostgresTables,
  type PostgresServer,
  type PostgresTables,
  postgresServers,
} from "./postgres.ts"
import { createSqlRows, type RunQuery, type SqlRows } from "./sql-rows.ts"

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

/** Shared by the adapters for `pg` and Neon: the documented tables are the same. */
export const documentedTables: Pick<AdapterSetup, "knownFailures" | "schemaFixes"> = {
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
}

export const pgSetups: readonly AdapterSetup[] = postgresServers.map((postgres) => ({
  ...documentedTables,
  adapter: "@auth/pg-adapter",
  database: postgres.name,
  onAnyPostgres: true,
  async openDatabase({ amended } = { amended: false }) {
    const { pool, runQuery, close } = await createDocumentedTables(postgres, amended)
    return {
      adapter: PostgresAdapter(pool),
      ...createPgRows(runQuery),
      [Symbol.asyncDispose]: close,
    }
  },
}))

/** @param amended whether the unique indexes exist */
export function createDocumentedTables(
  postgres: PostgresServer,
  amended: boolean,
): Promise<PostgresTables> {
  return createPostgresTables(postgres, [createTables, ...(amended ? schemaFixes : [])])
}

export function createPgRows(runQuery: RunQuery): SqlRows {
  return createSqlRows(runQuery, tableNames, (index) => `$${index}`, parseExpiresAt)
}

/** The driver returns 64-bit integers as text. */
export function parseExpiresAt(row: object): object {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    name === "expires_at" && value !== null ? Number(value) : value,
  ])
  return Object.fromEntries(entries)
}
