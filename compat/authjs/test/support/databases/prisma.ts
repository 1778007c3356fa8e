import { PrismaAdapter } from "@auth/prisma-adapter"
import { PrismaPg } from "@prisma/adapter-pg"
import { Pool } from "pg"
import { PrismaClient } from "../../../generated/prisma/client.ts"
import type { AdapterSetup } from "../adapter-setup.ts"
import { postgresServers } from "./postgres.ts"
import { createSqlRows } from "./sql-rows.ts"

/** The tables of `prisma/schema.prisma`. Prisma's own tool would have to be downloaded. */
const createTables = `
  create table "User" (
    id text primary key, name text, email text unique, "emailVerified" timestamp(3), image text
  );
  create table "Account" (
    "userId" text not null references "User" (id) on delete cascade on update cascade,
    type text not null, provider text not null, "providerAccountId" text not null,
    refresh_token text, access_token text, expires_at integer, token_type text, scope text,
    id_token text, session_state text, primary key (provider, "providerAccountId")
  );
  create table "Session" (
    "sessionToken" text primary key,
    "userId" text not null references "User" (id) on delete cascade on update cascade,
    expires timestamp(3) not null
  );
  create table "VerificationToken" (
    identifier text not null, token text not null, expires timestamp(3) not null,
    primary key (identifier, token)
  );
`

const tableNames = {
  user: `"User"`,
  account: `"Account"`,
  session: `"Session"`,
  verificationToken: `"VerificationToken"`,
}

export const prismaSetups: readonly AdapterSetup[] = postgresServers.map((postgres) => ({
  adapter: "@auth/prisma-adapter",
  database: postgres.name,
  onAnyPostgres: true,
  knownFailures: {},
  async openDatabase() {
    const server = await postgres.createDatabase()
    const pool = new Pool({ connectionString: server.url, max: 2 })
    pool.on("error", () => undefined) // the server stops before its idle connections
    await pool.query(createTables)
    const client = new PrismaClient({
      adapter: new PrismaPg({ connectionString: server.url, max: 4 }),
    })
    // Prisma writes UTC into columns without a time zone.
    const query = async (sql: string, parameters: readonly unknown[] = []) =>
      (await pool.query(sql, [...parameters])).rows
    return {
      adapter: PrismaAdapter(client),
      ...createSqlRows(query, tableNames, (index) => `$${index}`, convertToUtc),
      async [Symbol.asyncDispose]() {
        await client.$disconnect()
        await pool.end()
        await server.close()
      },
    }
  },
}))

/** The driver reads these columns as local time. */
function convertToUtc(row: object): object {
  const entries = Object.entries(row).map(([name, value]) => {
    if (!(value instanceof Date)) return [name, value]
    return [name, new Date(value.getTime() - value.getTimezoneOffset() * 60_000)]
  })
  return Object.fromEntries(entries)
}
