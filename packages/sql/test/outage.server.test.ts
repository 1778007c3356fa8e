import { inspect } from "node:util"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { Kysely, MysqlDialect } from "kysely"
import { createPool as createCallbackPool } from "mysql2"
import { createPool, type Pool as MysqlPool } from "mysql2/promise"
import { Client, Pool } from "pg"
import { describe, expect, onTestFinished, test } from "vitest"
import { mariadbUrl, postgresUrl } from "./support/connections.ts"
import { createAdapter, type DatabaseKind } from "./support/database-kinds/database-kind.ts"
import { mariadbKinds } from "./support/database-kinds/mariadb.ts"
import { postgresKinds, postgresServer } from "./support/database-kinds/postgres.ts"
import { createSignedInUser, newUser } from "./support/test-records.ts"

const servers: readonly DatabaseKind[] = [...postgresServer, ...mariadbKinds]

function inspectError(error: unknown): string {
  return inspect(error, { depth: 9, showHidden: true })
}

describe.each(servers)("closed connections, on $name", (kind) => {
  test("are replaced, and reported changes are stored", async () => {
    const opened = await kind.open()
    const adapter = createAdapter(kind, opened, { migrate: true })
    const { sessionToken, user } = await createSignedInUser(adapter)
    const kills =
      kind.dialect === "mysql"
        ? "select id from information_schema.processlist where db = database() and id <> connection_id()"
        : `select pid as id from pg_stat_activity where application_name = '${opened.address?.split(":")[1]}'`
    const other = kind.dialect === "mysql" ? opened.query : clientQuery
    const connections = await other(kills)
    expect(connections).not.toHaveLength(0)
    for (const { id } of connections) {
      await other(kind.dialect === "mysql" ? `kill ${id}` : `select pg_terminate_backend(${id})`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
    const found: unknown = await Promise.resolve(adapter.getSessionAndUser(sessionToken)).catch(
      (error: unknown) => error,
    )
    if (found instanceof Error) expect(found).toMatchObject({ code: "unreachable" })
    expect(await adapter.getSessionAndUser(sessionToken)).toMatchObject({ user })
  })
})

async function clientQuery(sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: postgresUrl })
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows
}

describe.each(servers)("a pool, on $name", (kind) => {
  test("reports that it was closed", async () => {
    const opened = await kind.open()
    const adapter = createAdapter(kind, opened, { migrate: true })
    await adapter.getUser("u")
    await (opened.database as MysqlPool | Pool).end()
    await expect(adapter.getUser("u")).rejects.toMatchObject({ code: "closed" })
    await expect(adapter.deleteUser("u")).rejects.toMatchObject({ code: "closed" })
  })

  test("works with a single connection", async () => {
    const { schema } = (await kind.open()) as unknown as { schema: string }
    const pool =
      kind.dialect === "mysql"
        ? createPool({ uri: mariadbUrl, database: schema, connectionLimit: 1 })
        : new Pool({ connectionString: postgresUrl, options: `-c search_path=${schema}`, max: 1 })
    onTestFinished(() => pool.end())
    const adapter = SqlAdapter(pool, { migrate: true, userFields: { role: "text" } })
    const people = await Promise.all(Array.from({ length: 8 }, () => createSignedInUser(adapter)))
    await Promise.all(people.map(async ({ user }) => adapter.deleteUser(user.id)))
    expect(await adapter.getUser(people[0]?.user.id ?? "")).toBeNull()
  })
})

test.each(postgresServer)(
  "a client of pg works, and calls wait for the application's transaction on it, on $name",
  async (kind) => {
    const { schema } = (await kind.open()) as unknown as { schema: string }
    const client = new Client({
      connectionString: postgresUrl,
      options: `-c search_path=${schema}`,
    })
    await client.connect()
    onTestFinished(() => client.end())
    const adapter = SqlAdapter(client, { migrate: true })
    const { sessionToken } = await createSignedInUser(adapter)
    await Promise.all(Array.from({ length: 8 }, () => createSignedInUser(adapter)))
    await client.query("begin")
    const signedOut = adapter.deleteSession(sessionToken)
    await new Promise((resolve) => setTimeout(resolve, 30))
    await client.query("rollback")
    expect(await signedOut).toMatchObject({ sessionToken })
    expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
    const taken = (await createSignedInUser(adapter)).user
    await expect(
      adapter.createUserWithAccount(newUser({ email: taken.email }), {
        userId: "x",
        type: "oidc",
        provider: "p",
        providerAccountId: "1",
      }),
    ).rejects.toMatchObject({ code: "duplicate" })
    expect(await adapter.getUser(taken.id)).toEqual(taken)
  },
)

describe.each(mariadbKinds)("settings of a pool of mysql2, on $name,", (kind) => {
  async function pooled(options: object) {
    const { schema } = (await kind.open()) as unknown as { schema: string }
    const pool = createPool({ uri: mariadbUrl, database: schema, ...options })
    onTestFinished(() => pool.end())
    return pool
  }

  test("do not change the values that are read", async () => {
    const settings = [
      { rowsAsArray: true, dateStrings: true, timezone: "-11:00" },
      { nestTables: true, supportBigNumbers: true, bigNumberStrings: true },
      { namedPlaceholders: true, typeCast: false, flags: ["-FOUND_ROWS"] },
    ]
    for (const options of settings) {
      const adapter = SqlAdapter(await pooled(options), { migrate: true })
      const emailVerified = new Date("2026-03-29T02:30:00.123Z")
      const user = await adapter.createUser(newUser({ emailVerified }))
      const session = { sessionToken: "t", userId: user.id, expires: emailVerified }
      await adapter.createSession(session)
      expect(await adapter.getSessionAndUser("t")).toEqual({ session, user })
      // Renewing with the same expiry changes nothing.
      expect(await adapter.updateSession(session)).not.toBeNull()
    }
  })

  test("are refused if they would lose characters", async () => {
    const pool = await pooled({ charset: "latin1" })
    await expect(migrate(pool)).rejects.toThrow("the character set of connections is latin1")
    await expect(SqlAdapter(pool).getUser("u")).rejects.toThrow("set it to utf8mb4")
  })

  test("are refused if they disable autocommit", async () => {
    const pool = await pooled({})
    pool.pool.on("connection", (connection) => connection.query("set session autocommit = 0"))
    await expect(SqlAdapter(pool).deleteSession("t")).rejects.toThrow("set autocommit to 1")
  })

  test("are refused if values could end their own quotes", async () => {
    const pool = await pooled({})
    const mode = "set session sql_mode = 'STRICT_TRANS_TABLES,NO_BACKSLASH_ESCAPES'"
    pool.pool.on("connection", (connection) => connection.query(mode))
    const adapter = SqlAdapter(pool, { migrate: true })
    await createSignedInUser(adapter)
    expect(await adapter.getSessionAndUser("' or 1=1 -- ")).toBeNull()
    const kysely = new Kysely<never>({ dialect: new MysqlDialect({ pool: pool.pool }) })
    const refused = SqlAdapter(kysely).getSessionAndUser("' or 1=1 -- ")
    await expect(refused).rejects.toThrow("NO_BACKSLASH_ESCAPES")
  })

  test("may be those of the callback API", async () => {
    const { schema } = (await kind.open()) as unknown as { schema: string }
    const pool = createCallbackPool({ uri: mariadbUrl, database: schema })
    onTestFinished(() => void pool.end())
    const adapter = SqlAdapter(pool, { migrate: true })
    const { sessionToken, user } = await createSignedInUser(adapter)
    expect(await adapter.getSessionAndUser(sessionToken)).toMatchObject({ user })
  })
})

test.each(mariadbKinds)(
  "text quoted by $name is not mistaken for the driver's message",
  async (kind) => {
    const adapter = createAdapter(kind, await kind.open(), { migrate: true })
    const user = newUser({ id: "Connection lost" })
    await adapter.createUser(user)
    const again = adapter.createUser(newUser({ id: user.id }))
    await expect(again).rejects.toMatchObject({ code: "duplicate" })
  },
)

test.each(postgresKinds)(
  "errors of $name are kept without the values that they quote",
  async (kind) => {
    const opened = await kind.open()
    const adapter = createAdapter(kind, opened, { migrate: true })
    await adapter.getUser("u")
    await opened.query('alter table "User" add constraint short check (length(name) < 5)')
    await opened.query('alter table "Account" alter column scope type integer using null')
    const user = await adapter.createUser(newUser({ name: "Ada" }))
    const checked: unknown = await Promise.resolve(
      adapter.updateUser({ id: user.id, name: "confidential" }),
    ).catch((error: unknown) => error)
    expect(checked).toMatchObject({ code: "failed", cause: { code: "23514" } })
    const cast: unknown = await Promise.resolve(
      adapter.linkAccount({
        userId: user.id,
        type: "oidc",
        provider: "p",
        providerAccountId: "1",
        scope: "confidential: Connection terminated",
      }),
    ).catch((error: unknown) => error)
    expect(cast).toMatchObject({ code: "failed", cause: { code: "22P02" } })
    for (const error of [checked, cast]) expect(inspectError(error)).not.toContain("confidential")
  },
)
