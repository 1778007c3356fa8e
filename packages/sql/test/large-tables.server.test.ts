/** PostgreSQL with a million sessions: nobody waits a second for a lock while the database is migrated. */
import { migrate } from "@latchkey/sql"
import type { Pool, PoolClient } from "pg"
import { describe, expect, test } from "vitest"
import { postgresServer } from "./support/database-kinds/postgres.ts"

const sessionCount = 1_000_000

/** The tables of Auth.js' adapter for Prisma. */
const prismaTables = [
  `create table "User" (id text primary key, name text, email text unique, "emailVerified" timestamp(3), image text)`,
  `create table "Account" (id text primary key, "userId" text not null references "User" (id) on delete cascade,
    type text not null, provider text not null, "providerAccountId" text not null, refresh_token text, access_token text,
    expires_at integer, token_type text, scope text, id_token text, session_state text,
    unique (provider, "providerAccountId"))`,
  `create table "Session" (id text primary key, "sessionToken" text not null unique,
    "userId" text not null references "User" (id) on delete cascade, expires timestamp(3) not null)`,
  `create table "VerificationToken" (identifier text not null, token text not null, expires timestamp(3) not null,
    unique (identifier, token))`,
]

/** Signs in, uses the session and signs out, without a break. Each statement fails after a second of waiting for a lock. */
function startTraffic(connection: PoolClient) {
  let isStopped = false
  let count = 0
  const traffic = (async () => {
    await connection.query("set lock_timeout = '1s'")
    for (; !isStopped; count += 1) {
      const token = `new-${count}`
      await connection.query(
        `insert into "Session" (id, "sessionToken", "userId", expires) values ($1, $1, 'u1', now())`,
        [token],
      )
      await connection.query(`update "Session" set expires = now() where "sessionToken" = $1`, [
        token,
      ])
      await connection.query(`delete from "Session" where "sessionToken" = $1`, [token])
    }
  })()
  return {
    countRounds: () => count,
    async stop() {
      isStopped = true
      await traffic
    },
  }
}

async function fillTables(connection: PoolClient, count = sessionCount): Promise<void> {
  await connection.query(`insert into "User" (id) select 'u' || n from generate_series(1, 1000) n`)
  // Without looking up the user of each session.
  await connection.query("set session_replication_role = replica")
  await connection.query(`insert into "Session" (id, "sessionToken", "userId", expires)
    select 's' || n, n::text, 'u' || (n % 1000 + 1), now() + interval '30 days'
    from generate_series(1, ${count}) n`)
  await connection.query("reset session_replication_role")
}

describe.each(postgresServer)("a million sessions, on $name", { timeout: 300_000 }, ({ open }) => {
  test("of Latchkey: options are turned on while people sign in", async () => {
    const opened = await open()
    const pool = opened.database as Pool
    await migrate(pool)
    const connection = await pool.connect()
    await fillTables(connection)
    const traffic = startTraffic(connection)
    await expect.poll(traffic.countRounds).toBeGreaterThan(0)
    await migrate(pool, { sessionRecords: true, secondFactor: true, userFields: { role: "text" } })
    await traffic.stop()
    connection.release()
  })

  test("of Auth.js: several processes adopt them while people sign in", async () => {
    const opened = await open()
    const pool = opened.database as Pool
    for (const table of prismaTables) await opened.query(table)
    const connection = await pool.connect()
    await fillTables(connection)
    const traffic = startTraffic(connection)
    await expect.poll(traffic.countRounds).toBeGreaterThan(0)
    const before = traffic.countRounds()
    const options = { adopt: true, sessionRecords: true, secondFactor: true }
    const { statements } = await migrate(pool, { ...options, dryRun: true })
    expect(statements.filter((statement) => statement.includes("concurrently"))).toEqual([
      'create index concurrently "Session_userId_idx" on "Session" ("userId")',
      'create index concurrently "Session_expires_idx" on "Session" ("expires")',
    ])
    const reports = await Promise.all([1, 2, 3].map(() => migrate(pool, options)))
    await traffic.stop()
    expect(traffic.countRounds()).toBeGreaterThan(before)
    connection.release()
    const steps = reports.flatMap(({ applied }) => applied)
    expect(steps.filter((step) => step === "0001-entities")).toHaveLength(1)
    expect(await opened.query('select count(*)::int as count from "Session"')).toEqual([
      { count: sessionCount },
    ])
    const indexes = `select indexrelid::regclass::text as name from pg_index
      where indrelid = '"Session"'::regclass and indisvalid order by name`
    expect(await opened.query(indexes)).toEqual(
      ["expires_idx", "pkey", "sessionToken_key", "userId_idx"].map((suffix) => ({
        name: `"Session_${suffix}"`,
      })),
    )
  })

  test("an index that cannot be created is named, with those after it", async () => {
    const opened = await open()
    const pool = opened.database as Pool
    for (const table of prismaTables) await opened.query(table)
    const connection = await pool.connect()
    await fillTables(connection, 300_000)
    connection.release()
    await opened.query('create index "Session_userId_idx" on "User" (name)')
    const error = await migrate(pool, { adopt: true }).catch((failure: unknown) => failure)
    expect(error).toMatchObject({ code: "name-taken" })
    expect(String(error)).toContain('relation "Session_userId_idx" already exists')
    expect(String(error)).toContain('create index concurrently "Session_userId_idx"')
    expect(String(error)).toContain('create index concurrently "Session_expires_idx"')
    expect((await migrate(pool, { adopt: true })).applied).toEqual([])
  })

  test("tables of Auth.js without constraints get them from the statements of the error", async () => {
    const opened = await open()
    const pool = opened.database as Pool
    const bare = prismaTables.map((table) =>
      table
        .replaceAll(/ references "User" \(id\) on delete cascade|not null unique/g, "")
        .replace(/,\s+unique \(provider, "providerAccountId"\)/, ""),
    )
    for (const table of bare) await opened.query(table)
    const connection = await pool.connect()
    await fillTables(connection, 300_000)
    const traffic = startTraffic(connection)
    await expect.poll(traffic.countRounds).toBeGreaterThan(0)
    const error = await migrate(pool, { adopt: true }).catch((failure: unknown) => failure)
    expect(error).toMatchObject({ code: "table-unfit" })
    const statements = String(error).split("while people sign in: ")[1]?.split("; ") ?? []
    expect(statements).toHaveLength(3)
    for (const statement of statements) await opened.query(statement)
    const { applied } = await migrate(pool, { adopt: true })
    expect(applied).toContain("0001-entities")
    await traffic.stop()
    connection.release()
  })
})
