/** Databases with the documented tables of Auth.js adapters, and with users. */
import type { SchemaNaming, SqlOptions } from "@latchkey/sql"

/** A database of another library. */
export interface DatabaseDump {
  readonly name: string
  readonly statements: readonly string[]
  /** The options to adopt it. */
  readonly options: SqlOptions
  /** The id of Ada. */
  readonly ada: string
}

const sessionEnd = "2100-01-01 00:00:00.123"
const lowerCase: SchemaNaming = {
  User: "users",
  Account: "accounts",
  Session: "sessions",
  VerificationToken: "verification_token",
}

/** For the driver `pg`: integers as ids, and no indices except primary keys. */
const pgTables = [
  `create table verification_token (
    identifier text not null, expires timestamptz not null, token text not null,
    primary key (identifier, token))`,
  `create table accounts (
    id serial, "userId" integer not null, type varchar(255) not null, provider varchar(255) not null,
    "providerAccountId" varchar(255) not null, refresh_token text, access_token text, expires_at bigint,
    id_token text, scope text, session_state text, token_type text, primary key (id))`,
  `create table sessions (
    id serial, "userId" integer not null, expires timestamptz not null, "sessionToken" varchar(255) not null,
    primary key (id))`,
  `create table users (
    id serial, name varchar(255), email varchar(255), "emailVerified" timestamptz, image text, primary key (id))`,
]

export const pgDump: DatabaseDump = {
  name: "the adapter for pg",
  options: { adopt: true, ids: "database", names: lowerCase },
  ada: "1",
  statements: [
    ...pgTables,
    `insert into users (name, email, "emailVerified") values
      ('Ada', 'Ada@Example.test', '2026-01-02 03:04:05.678+00'), ('Bob', '', null), ('Cyd', '', null)`,
    `insert into accounts ("userId", type, provider, "providerAccountId", access_token, expires_at, scope,
      session_state, token_type) values
      (1, 'oidc', 'tenantidp', 'sub-1', 'access', 1900000000, 'openid', 'raw state', 'bearer')`,
    ...[1, 2, 3].map(
      (id) => `insert into sessions ("userId", expires, "sessionToken")
        values (${id}, '${sessionEnd}+00', 'token-${id}')`,
    ),
    `insert into verification_token values ('ada@example.test', '${sessionEnd}+00', 'hash')`,
  ],
}

const drizzleNames: SchemaNaming = {
  User: "user",
  Account: { table: "account", columns: { id: null } },
  Session: { table: "session", columns: { id: null } },
  VerificationToken: "verificationToken",
  Authenticator: "authenticator",
}

/** The schema for Drizzle, with a given type for dates and booleans. */
function drizzleTables(date: string, boolean: string): string[] {
  const owner = `"userId" text not null references "user" (id) on delete cascade`
  return [
    `create table "user" (id text primary key not null, name text, email text unique, "emailVerified" ${date},
      image text)`,
    `create table account (${owner}, type text not null,
      provider text not null, "providerAccountId" text not null, refresh_token text, access_token text,
      expires_at integer, token_type text, scope text, id_token text, session_state text,
      primary key (provider, "providerAccountId"))`,
    `create table session ("sessionToken" text primary key not null, ${owner}, expires ${date} not null)`,
    `create table "verificationToken" (identifier text not null, token text not null, expires ${date} not null,
      primary key (identifier, token))`,
    `create table authenticator ("credentialID" text not null unique, ${owner}, "providerAccountId" text not null,
      "credentialPublicKey" text not null, counter integer not null, "credentialDeviceType" text not null,
      "credentialBackedUp" ${boolean} not null, transports text, primary key ("userId", "credentialID"))`,
  ]
}

function drizzleRows(date: (iso: string) => string): string[] {
  const end = date(`${sessionEnd.replace(" ", "T")}Z`)
  return [
    `insert into "user" values ('u1', 'Ada', 'Ada@Example.test', ${date("2026-01-02T03:04:05.678Z")}, null),
      ('u2', 'Bob', null, null, null), ('u3', 'Cyd', '', null, null)`,
    `insert into account ("userId", type, provider, "providerAccountId", access_token, expires_at, scope,
      session_state, token_type) values
      ('u1', 'oidc', 'tenantidp', 'sub-1', 'access', 1900000000, 'openid', 'raw state', 'bearer')`,
    ...[1, 2, 3].map((id) => `insert into session values ('token-${id}', 'u${id}', ${end})`),
    `insert into "verificationToken" values ('ada@example.test', 'hash', ${end})`,
  ]
}

const drizzle = { options: { adopt: true, names: drizzleNames }, ada: "u1" } as const

/** Drizzle on PostgreSQL: dates without a time zone, in UTC. */
export const drizzlePostgresDump: DatabaseDump = {
  ...drizzle,
  name: "Drizzle on PostgreSQL",
  statements: [
    ...drizzleTables("timestamp", "boolean"),
    ...drizzleRows((iso) => `'${iso.replace("T", " ").replace("Z", "")}'`),
  ],
}

/** Drizzle on SQLite: dates in milliseconds. */
export const drizzleSqliteDump: DatabaseDump = {
  ...drizzle,
  name: "Drizzle on SQLite",
  statements: [
    ...drizzleTables("integer", "integer"),
    ...drizzleRows((iso) => String(Date.parse(iso))),
  ],
}
