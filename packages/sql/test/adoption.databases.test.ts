import { migrate, SqlAdapter } from "@latchkey/sql"
import { describe, expect, test } from "vitest"
import { migrations } from "../src/migrations/all-migrations.ts"
import {
  type DatabaseDump,
  drizzlePostgresDump,
  drizzleSqliteDump,
  pgDump,
} from "./support/database-dumps.ts"
import type {
  DatabaseKind,
  OnFinished,
  TestDatabase,
} from "./support/database-kinds/database-kind.ts"
import { databaseKinds, suiteVariantKinds } from "./support/database-kinds.ts"
import { createRowReader, databaseIdFixtures } from "./support/row-reader.ts"
import { runConformance } from "./support/run-conformance.ts"
import { newAccount, newUser } from "./support/test-records.ts"

const all = migrations.map(({ version, name }) => `000${version}-${name}`)

interface AdoptionCase {
  readonly kind: DatabaseKind
  readonly dump: DatabaseDump
  readonly title: string
}

function listAdoptionCases(kinds: readonly DatabaseKind[]): AdoptionCase[] {
  const dumps = {
    mysql: [],
    postgres: [pgDump, drizzlePostgresDump],
    sqlite: [drizzleSqliteDump],
  }
  return kinds.flatMap((kind) => {
    if (/file|RETURNING/.test(kind.name)) return []
    return dumps[kind.dialect].map((dump) => ({
      kind,
      dump,
      title: `${dump.name}, on ${kind.name}`,
    }))
  })
}

test.each(databaseKinds.filter(({ dialect }) => dialect === "mysql"))(
  "tables with a case-insensitive collation are not adopted, on $name",
  async (kind) => {
    const { database, query } = await kind.open()
    await query('create table "User" (id varchar(255), email varchar(255))')
    const refused = migrate(database, { adopt: true })
    await expect(refused).rejects.toMatchObject({ code: "table-unfit" })
    await expect(refused).rejects.toThrow("User may take é for e")
  },
)

/** Tables of accounts and sessions with unsuitable column types. */
async function adoptWithTypes(
  kind: DatabaseKind,
  types: { account?: string; date?: string },
  ...more: string[]
) {
  const opened = await kind.open()
  const { account = "text", date = kind.dialect === "sqlite" ? "integer" : "timestamptz" } = types
  const [user = "", ...dump] = drizzleSqliteDump.statements
    .filter((statement) => statement.startsWith("create"))
    .map((statement) =>
      statement
        .replace(/("providerAccountId") text not null, refresh/, `$1 ${account} not null, refresh`)
        .replaceAll(/(expires|"emailVerified") integer/g, `$1 ${date}`)
        .replace(/("credentialBackedUp") integer/, "$1 boolean"),
    )
  for (const statement of [user, ...dump, ...more]) await opened.query(statement)
  const adopted = migrate(opened.database, drizzleSqliteDump.options)
  return { adopted, database: opened.database }
}

const [sqlite, pglite] = [
  databaseKinds.filter(({ name }) => name === "SQLite"),
  databaseKinds.filter(({ dialect }) => dialect === "postgres"),
]
const tomorrow = Math.floor(Date.now() / 1000) + 86_400
const ada = `insert into "user" (id) values ('u1')`
const sessionUntil = (date: string) => `insert into session values ('t', 'u1', ${date})`

test.each([
  ...sqlite.flatMap((kind) =>
    ["text collate nocase", "text collate rtrim", "string", "integer"].map((account) => ({
      ...{ kind, account, title: `${account}, on ${kind.name}` },
    })),
  ),
  ...pglite.map((kind) => ({ kind, account: "char(200)", title: `char, on ${kind.name}` })),
])("a column that takes one account for another is refused: $title", async ({ kind, account }) => {
  const { adopted } = await adoptWithTypes(kind, { account })
  await expect(adopted).rejects.toMatchObject({ code: "table-unfit" })
  await expect(adopted).rejects.toThrow("one text for another in the column providerAccountId")
})

test.each(sqlite)("addresses may be compared case-insensitively, on $name", async (kind) => {
  const index = 'create unique index once on "user" (lower(email))'
  const { adopted } = await adoptWithTypes(kind, {}, index, ada, sessionUntil(`${tomorrow}000`))
  expect(await adopted).toMatchObject({ from: 0, applied: all })
})

test.each([
  ...sqlite.map((kind) => ({ kind, date: "integer", session: sessionUntil(String(tomorrow)) })),
  ...sqlite.map((kind) => ({ kind, date: "text", session: sessionUntil("'2100-01-01'") })),
  ...pglite.map((kind) => ({ kind, date: "bigint", session: sessionUntil(`${tomorrow}000`) })),
])("dates that are not ours are refused: $date, on $kind.name", async ({ kind, date, session }) => {
  const { adopted } = await adoptWithTypes(kind, { date }, ada, session)
  await expect(adopted).rejects.toMatchObject({ code: "table-unfit" })
  await expect(adopted).rejects.toThrow("other dates than ours in the column")
})

test.each(sqlite)(
  "a deleted user leaves no rows in tables without foreign keys, on $name",
  async (kind) => {
    const { database, query } = await kind.open()
    for (const statement of drizzleSqliteDump.statements)
      await query(statement.replaceAll(/ references "user" \(id\) on delete cascade/g, ""))
    await query("insert into authenticator values ('c1', 'u1', 'sub-1', 'key', 0, 'x', 0, null)")
    await migrate(database, drizzleSqliteDump.options)
    const adapter = SqlAdapter(database, drizzleSqliteDump.options)
    await adapter.deleteUser("u1")
    expect(await adapter.getSessionAndUser("token-1")).toBeNull()
    expect(await query('select "userId" from session')).toEqual([
      { userId: "u2" },
      { userId: "u3" },
    ])
    for (const table of ["account", "authenticator", '"verificationToken"'])
      expect(await query(`select * from ${table}`)).toEqual([])
    // Whoever gets the id next, for example from a backup, must not get the sessions, too.
    await adapter.createUser(newUser({ id: "u1" }))
    expect(await adapter.getSessionAndUser("token-1")).toBeNull()
  },
)

describe.each(sqlite)("users whose ids the database counts, on $name", (kind) => {
  const options = { ...drizzleSqliteDump.options, ids: "database" } as const

  /** Opens a database whose users have ids of this type. */
  async function openWithIds(type: string) {
    const opened = await kind.open()
    const create = drizzleSqliteDump.statements.filter((each) => each.startsWith("create"))
    for (const statement of create)
      await opened.query(statement.replace("id text primary key", `id ${type}`))
    return opened
  }

  test.each(["integer primary key", "INTEGER PRIMARY KEY /* AUTOINCREMENT */"])(
    "are refused if a new user gets the id, and so the sessions, of a deleted one: %s",
    async (type) => {
      const { database, query } = await openWithIds(type)
      const refused = migrate(database, options)
      await expect(refused).rejects.toMatchObject({ code: "table-unfit" })
      await expect(refused).rejects.toThrow("user may give the id of a deleted user to a new one")
      expect(await query("select name from sqlite_master where name like 'Latchkey%'")).toEqual([])
    },
  )

  test("are adopted if ids are not used again", async () => {
    const { database } = await openWithIds("integer primary key autoincrement")
    await migrate(database, options)
    const adapter = SqlAdapter(database, options)
    const { id } = await adapter.createUser(newUser())
    await adapter.deleteUser(id)
    expect((await adapter.createUser(newUser())).id).not.toBe(id)
  })
})

test.each(databaseKinds.filter(({ dialect }) => dialect === "mysql"))(
  "an interrupted migration is continued, on $name",
  async (kind) => {
    const { database, query } = await kind.open()
    await migrate(database, { adopt: true })
    await query('drop table "Authenticator"')
    await query('update "LatchkeyMigration" set "appliedAt" = null')
    const { applied } = await migrate(database, { adopt: true })
    expect(applied).toEqual(all)
    expect(await SqlAdapter(database).getAuthenticator("unknown")).toBeNull()
  },
)

const expires = new Date("2100-01-01T00:00:00.123Z")

async function openDump(
  { kind, dump }: AdoptionCase,
  onFinished?: OnFinished,
): Promise<TestDatabase> {
  const database = await kind.open(onFinished)
  for (const statement of dump.statements) await database.query(statement)
  return database
}

describe.each(listAdoptionCases(databaseKinds))("a database of $title", (adoptionCase) => {
  const { dump } = adoptionCase

  test("is adopted: users stay signed in, and are recognised at their next sign-in", async () => {
    const { database } = await openDump(adoptionCase)
    const report = await migrate(database, dump.options)
    expect(report).toMatchObject({ from: 0, applied: all })
    const adapter = SqlAdapter(database, dump.options)

    const ada = {
      id: dump.ada,
      name: "Ada",
      email: "ada@example.test",
      emailVerified: new Date("2026-01-02T03:04:05.678Z"),
      image: null,
    }
    const session = { sessionToken: "token-1", userId: dump.ada, expires }
    expect(await adapter.getSessionAndUser("token-1")).toEqual({ session, user: ada })
    for (const token of ["token-2", "token-3"]) {
      expect(await adapter.getSessionAndUser(token)).toMatchObject({
        session: { expires },
        user: { email: "" },
      })
    }
    const key = { provider: "tenantidp", providerAccountId: "sub-1" }
    expect(await adapter.getUserByAccount(key)).toEqual(ada)
    expect(await adapter.getUserByEmail("ada@example.test")).toEqual(ada)
    expect(await adapter.getAccount("sub-1", "tenantidp")).toMatchObject({
      access_token: "access",
      expires_at: 1_900_000_000,
      session_state: "raw state",
    })
    const token = { identifier: "ada@example.test", token: "hash", expires }
    expect(await adapter.useVerificationToken(token)).toEqual(token)
    const lease = { key: "k", holder: "a", lifetime: 60_000 }
    expect(await adapter.acquireLease(lease)).toEqual({ state: "granted" })
    expect(await adapter.updateSession({ sessionToken: "token-1", expires })).toEqual(session)
  })

  test("is adopted with the tables of session records", async () => {
    const { database } = await openDump(adoptionCase)
    const options = { ...dump.options, sessionRecords: true } as const
    const report = await migrate(database, options)
    expect(report).toMatchObject({ from: 0, applied: [...all, "session-records"] })
    const adapter = SqlAdapter(database, options)
    const record = {
      ...{ id: "record-1", userId: dump.ada, details: "{}" },
      ...{ providerSession: null, providerSubject: "subject-1" },
      ...{ createdAt: expires, lastSeenAt: expires, expires },
    }
    await adapter.saveSessionRecord(record)
    expect(await adapter.listSessionRecords(dump.ada)).toEqual([record])
    await adapter.deleteUser(dump.ada)
    expect(await adapter.listSessionRecords(dump.ada)).toEqual([])
  })

  test("has unique indexes afterwards", async () => {
    const { database } = await openDump(adoptionCase)
    const adapter = SqlAdapter(database, { ...dump.options, migrate: true })
    const duplicate = { code: "duplicate" }
    const ada = await adapter.getUser(dump.ada)
    expect(ada).not.toBeNull()
    if (ada === null) return
    await expect(adapter.createUser(newUser({ email: ada.email }))).rejects.toMatchObject(duplicate)
    const account = newAccount(ada, { providerAccountId: "sub-1" })
    await expect(adapter.linkAccount(account)).rejects.toMatchObject(duplicate)
    const session = { sessionToken: "token-1", userId: ada.id, expires }
    await expect(adapter.createSession(session)).rejects.toMatchObject(duplicate)
    const nobody = { ...session, sessionToken: "t", userId: dump.ada.replace("1", "999") }
    await expect(adapter.createSession(nobody)).rejects.toMatchObject({ code: "unknown-user" })
  })

  test("is not changed without `adopt`, nor by a dry run", async () => {
    const { database, query } = await openDump(adoptionCase)
    const { adopt: _, ...options } = dump.options
    await expect(migrate(database, options)).rejects.toMatchObject({ code: "name-taken" })
    const plan = await migrate(database, { ...dump.options, dryRun: true })
    expect(plan.statements.join("\n")).toMatch(/update .user.* set .email. = lower/)
    const table = dump === pgDump ? "users" : '"user"'
    const [ada] = await query(`select email from ${table} where name = 'Ada'`)
    expect(ada).toEqual({ email: "Ada@Example.test" })
  })

  test("is refused with the name of a missing column", async () => {
    const { database, query } = await openDump(adoptionCase)
    const table = dump === pgDump ? "accounts" : "account"
    await query(`alter table ${table} drop column session_state`)
    const refused = migrate(database, dump.options)
    await expect(refused).rejects.toMatchObject({ code: "table-unfit" })
    await expect(refused).rejects.toThrow(`${table} has no column session_state`)
  })

  test("is refused and unchanged if an address exists twice", async () => {
    const { database, query } = await openDump(adoptionCase)
    const table = dump === pgDump ? "users" : '"user"'
    await query(`update ${table} set email = 'ADA@example.test' where name = 'Bob'`)
    await expect(migrate(database, dump.options)).rejects.toMatchObject({ code: "duplicate" })
    const [ada] = await query(`select email from ${table} where name = 'Ada'`)
    expect(ada).toEqual({ email: "Ada@Example.test" })
  })
})

describe.each(listAdoptionCases(suiteVariantKinds))("a database of $title", (adoptionCase) => {
  const { dump } = adoptionCase

  describe("passes the conformance suite", () => {
    runConformance(async (onFinished) => {
      const database = await openDump(adoptionCase, onFinished)
      const options = { ...dump.options, migrate: true, sessionRecords: true }
      const adapter = SqlAdapter(database.database, options)
      await adapter.getUser("1")
      return {
        adapter,
        db: createRowReader(database, dump.options.names),
        fixtures: databaseIdFixtures,
      }
    })
  })
})
