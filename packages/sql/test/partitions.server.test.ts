import { readFileSync } from "node:fs"
import { migrate, type SqlAdapterOptions } from "@latchkey/sql"
import type { Pool } from "pg"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Statement } from "../src/engine.ts"
import {
  createAdapter,
  type DatabaseKind,
  type OnFinished,
  type TestDatabase,
} from "./support/database-kinds/database-kind.ts"
import { postgresKinds } from "./support/database-kinds/postgres.ts"
import { suiteVariantKinds } from "./support/database-kinds.ts"
import { createRecordingAdapter, type RecordingAdapter } from "./support/recording-adapter.ts"
import { createRowReader } from "./support/row-reader.ts"
import { runConformance } from "./support/run-conformance.ts"
import { createSignedInUser } from "./support/test-records.ts"

const guide = readFileSync(new URL("../../../docs/scaling.md", import.meta.url), "utf8")
const [, partitionBlock = ""] = /```text\n(create table "Session"[^`]*)```/.exec(guide) ?? []
const [, moveBlock = ""] = /```text\n(alter table "Session" rename[^`]*)```/.exec(guide) ?? []

/** The statements of the guide. */
const options: SqlAdapterOptions = { adopt: true, sessionRecords: true }

const statementsOf = (block: string) => block.split("\n\n")

/** Creates a database with sessions partitioned by the guide's statements. */
async function openPartitionedDatabase(
  kind: DatabaseKind,
  onFinished?: OnFinished,
): Promise<TestDatabase> {
  const opened = await kind.open(onFinished)
  for (const statement of statementsOf(partitionBlock)) await opened.query(statement)
  await migrate(opened.database, options)
  return opened
}

describe.each(suiteVariantKinds.filter(({ dialect }) => dialect === "postgres"))(
  "the conformance suite on the guide's partitions, on $name",
  (kind) => {
    const connect = async (onFinished: OnFinished) => {
      const opened = await openPartitionedDatabase(kind, onFinished)
      const database = opened.reconnect?.()
      return {
        adapter: createAdapter(kind, opened, options),
        db: createRowReader(opened),
        ...(database ? { second: createAdapter(kind, { ...opened, database }, options) } : {}),
      }
    }
    const features = kind.features?.filter((feature) => feature === "second")
    runConformance(connect, features)
  },
)

type Operation = (adapter: RecordingAdapter["adapter"]) => unknown

const expires = new Date("2031-01-01")

/** The number of partitions that each statement reads. */
const partitionCounts: readonly (readonly [name: string, ask: Operation, count: number])[] = [
  ["getSessionAndUser", (adapter) => adapter.getSessionAndUser("token-77"), 1],
  ["updateSession", (adapter) => adapter.updateSession({ sessionToken: "token-77", expires }), 1],
  ["deleteSession", (adapter) => adapter.deleteSession("token-78"), 1],
  ["listSessions", (adapter) => adapter.listSessions("user-79"), 16],
  ["deleteSessions", (adapter) => adapter.deleteSessions("user-79"), 16],
  ["deleteExpired", (adapter) => adapter.deleteExpired(new Date("2020-01-01"), 200), 16],
]

describe.each(postgresKinds)("on $name, among the guide's partitions", (kind) => {
  const resources = new AsyncDisposableStack()
  let opened: TestDatabase
  beforeAll(async () => {
    opened = await openPartitionedDatabase(kind, (release) => resources.defer(release))
    await fill(opened)
  })
  afterAll(() => resources.disposeAsync())

  test.each(partitionCounts)("%s reads only the required partitions", async (_, ask, count) => {
    const { adapter, statements } = createRecordingAdapter(opened, options)
    await ask(adapter)
    expect(await listPartitions(opened, statements[0])).toHaveLength(count)
  })

  test("each partition has the indices for queries", async () => {
    const definitions = await opened.query(
      "select indexdef from pg_indexes where schemaname = current_schema() and tablename = 'Session_7'",
    )
    const columns = definitions.map(({ indexdef }) => /\((.*)\)$/.exec(String(indexdef))?.[1])
    expect(columns.toSorted()).toEqual(['"sessionToken"', '"userId"', "expires"])
    expect(await migrate(opened.database, options)).toMatchObject({ applied: [], statements: [] })
  })
})

test.each(postgresKinds)(
  "sessions stay valid when they are moved into partitions, on $name",
  async (kind) => {
    const opened = await kind.open()
    await migrate(opened.database)
    const adapter = createAdapter(kind, opened)
    const { user, sessionToken } = await createSignedInUser(adapter)
    const [rename = "", , ...rest] = statementsOf(moveBlock)
    const all = [rename, ...statementsOf(partitionBlock), ...rest]
    for (const statement of all) await opened.query(statement)

    expect(await adapter.getSessionAndUser(sessionToken)).toMatchObject({ user: { id: user.id } })
    expect(await listPartitions(opened, select)).toHaveLength(16)
    await adapter.deleteUser(user.id)
    expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
    expect(await migrate(opened.database)).toMatchObject({ applied: [], statements: [] })
  },
)

const select: Statement = { sql: 'select from "Session"', parameters: [], returnsRows: true }

/** Returns the partitions in the plan of a statement. */
async function listPartitions({ database }: TestDatabase, sent?: Statement): Promise<string[]> {
  // PGlite has the same method.
  const { rows } = await (database as Pool).query(`explain (format json) ${sent?.sql}`, [
    ...(sent?.parameters ?? []),
  ])
  const plan = JSON.stringify(rows)
  const names = [...plan.matchAll(/"Relation Name":"(Session_\d+)"/g)].map(([, name]) => name ?? "")
  return [...new Set(names)]
}

async function fill({ query }: TestDatabase): Promise<void> {
  const numbers = "from generate_series(1, 5000) i"
  await query(`insert into "User" (id, email) select 'user-' || i, 'user-' || i ${numbers}`)
  await query(
    `insert into "Session" (id, "userId", "sessionToken", expires)
     select 'session-' || i, 'user-' || i, 'token-' || i, timestamptz '2030-01-01' ${numbers}`,
  )
  await query('analyze "User"')
  await query('analyze "Session"')
}
