import { SupabaseAdapter } from "@auth/supabase-adapter"
import type { AdapterSetup } from "../adapter-setup.ts"
import { startPostgrestApi } from "../servers/postgrest-api.ts"
import { parseExpiresAt } from "./pg.ts"
import { createPostgresTables, postgresServers } from "./postgres.ts"
import { createSqlRows } from "./sql-rows.ts"

/** The documented tables of the adapter. */
const createTables = `
  create schema next_auth;
  create table next_auth.users (
    id uuid primary key default gen_random_uuid(), name text, email text unique,
    "emailVerified" timestamptz, image text
  );
  create table next_auth.sessions (
    id uuid primary key default gen_random_uuid(), expires timestamptz not null,
    "sessionToken" text not null unique,
    "userId" uuid references next_auth.users (id) on delete cascade
  );
  create table next_auth.accounts (
    id uuid primary key default gen_random_uuid(), type text not null, provider text not null,
    "providerAccountId" text not null, refresh_token text, access_token text, expires_at bigint,
    token_type text, scope text, id_token text, session_state text, oauth_token_secret text,
    oauth_token text, "userId" uuid references next_auth.users (id) on delete cascade,
    unique (provider, "providerAccountId")
  );
  create table next_auth.verification_tokens (
    identifier text, token text primary key, expires timestamptz not null,
    unique (token, identifier)
  );
`

const tableNames = {
  user: "next_auth.users",
  account: "next_auth.accounts",
  session: "next_auth.sessions",
  verificationToken: "next_auth.verification_tokens",
}

export const supabaseSetups: readonly AdapterSetup[] = postgresServers
  .filter(({ name }) => name === "PostgreSQL")
  .map((postgres) => ({
    adapter: "@auth/supabase-adapter",
    database: "PostgreSQL behind an imitation of PostgREST",
    knownFailures: {},
    async openDatabase() {
      const { pool, runQuery, close } = await createPostgresTables(postgres, [createTables])
      const server = await startPostgrestApi(pool)
      return {
        adapter: SupabaseAdapter({ url: server.url, secret: "test" }),
        ...createSqlRows(runQuery, tableNames, (index) => `$${index}`, parseExpiresAt),
        async [Symbol.asyncDispose]() {
          await server[Symbol.asyncDispose]()
          await close()
        },
      }
    },
  }))
