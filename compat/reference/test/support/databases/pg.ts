import PostgresAdapter from "@auth/pg-adapter"
import { Pool } from "pg"
import type { Kind } from "../kind.ts"
import { postgresKinds } from "./postgres.ts"
import { rowsOf } from "./rows.ts"

/** As the documentation of the adapter has it. Ids are numbers. */
const tables = `
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

const names = {
  user: "users",
  account: "accounts",
  session: "sessions",
  verificationToken: "verification_token",
}

const amendment = [
  "create unique index users_email on users (email)",
  `create unique index accounts_key on accounts (provider, "providerAccountId")`,
]

const twice = "nothing in the documented tables makes an account unique"
const sameAddress = "nothing in the documented tables makes an address unique"

export const pg: readonly Kind[] = postgresKinds.map((kind) => ({
  adapter: "@auth/pg-adapter",
  database: kind.name,
  onEveryPostgres: true,
  fails: {
    "2 createUser rejects an address that is taken": sameAddress,
    "9 linkAccount rejects an account that is linked already, and leaves it alone": twice,
    "of two users who link an account at once, one gets it and the other is told": twice,
    "of two users who are created with one address at once, one is": sameAddress,
    "of two first sign-ins of one person at once, one creates the user": sameAddress,
    "of two first sign-ins of one person without an address at once, one creates the user": twice,
    "of 2 × 32 first sign-ins of one person without an address at once, one creates the user":
      twice,
    "of 2 × 32 first sign-ins of one person at once, one creates the user": sameAddress,
  },
  amendment,
  async open({ amended } = { amended: false }) {
    const server = await kind.open()
    const pool = new Pool({ connectionString: server.url, max: 4 })
    pool.on("error", () => undefined) // the server goes before its idle connections do
    await pool.query(tables)
    if (amended) for (const statement of amendment) await pool.query(statement)
    const query = async (sql: string, parameters: readonly unknown[] = []) =>
      (await pool.query(sql, [...parameters])).rows
    return {
      adapter: PostgresAdapter(pool),
      ...rowsOf(query, names, (at) => `$${at}`, withNumbers),
      async [Symbol.asyncDispose]() {
        await pool.end()
        await server.close()
      },
    }
  },
}))

/** The driver reads numbers of 64 bits as text. */
function withNumbers(row: object): object {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    name === "expires_at" && value !== null ? Number(value) : value,
  ])
  return Object.fromEntries(entries)
}
