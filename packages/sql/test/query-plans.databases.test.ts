import type { DatabaseSync } from "node:sqlite"
import type { Lease } from "@latchkey/core/adapters"
import { migrate, type SqlAdapter } from "@latchkey/sql"
import type { Pool as MysqlPool, RowDataPacket } from "mysql2/promise"
import type { Pool as PostgresPool } from "pg"
import { expect, test } from "vitest"
import type { Statement } from "../src/engine.ts"
import type { DatabaseKind, TestDatabase } from "./support/database-kinds/database-kind.ts"
import { databaseKinds } from "./support/database-kinds.ts"
import { createRecordingAdapter } from "./support/recording-adapter.ts"

const options = { sessionRecords: true } as const

/** Frequent queries, and queries of large tables. */
const operations: Readonly<Record<string, (adapter: SqlAdapter) => unknown>> = {
  getSessionAndUser: (adapter) => adapter.getSessionAndUser("token-77"),
  updateSession: (adapter) =>
    adapter.updateSession({ sessionToken: "token-77", expires: new Date("2031-01-01") }),
  deleteSession: (adapter) => adapter.deleteSession("token-78"),
  listSessions: (adapter) => adapter.listSessions("user-79"),
  "deleteSessions, all": (adapter) => adapter.deleteSessions("user-79"),
  "deleteSessions, all but one": (adapter) =>
    adapter.deleteSessions("user-80", { except: "token-80" }),
  deleteExpired: (adapter) => adapter.deleteExpired(new Date("2020-01-01"), 200),
  getUser: (adapter) => adapter.getUser("user-77"),
  getUserByEmail: (adapter) => adapter.getUserByEmail("user-77@example.test"),
  getUserByAccount: (adapter) =>
    adapter.getUserByAccount({ provider: "tenantidp", providerAccountId: "sub-77" }),
  updateUser: (adapter) => adapter.updateUser({ id: "user-77", name: "x" }),
  updateAccount: (adapter) =>
    adapter.updateAccount({ provider: "tenantidp", providerAccountId: "sub-77", scope: "x" }),
  getAccount: (adapter) => adapter.getAccount("sub-77", "tenantidp"),
  listAccounts: (adapter) => adapter.listAccounts("user-77"),
  unlinkAccount: (adapter) =>
    adapter.unlinkAccount({ provider: "tenantidp", providerAccountId: "sub-78" }),
  useVerificationToken: (adapter) =>
    adapter.useVerificationToken({ identifier: "user-77@example.test", token: "token-77" }),
  getAuthenticator: (adapter) => adapter.getAuthenticator("passkey-77"),
  listAuthenticatorsByUserId: (adapter) => adapter.listAuthenticatorsByUserId("user-77"),
  updateAuthenticatorCounter: (adapter) => adapter.updateAuthenticatorCounter("passkey-77", 7),
  deleteAuthenticator: (adapter) => adapter.deleteAuthenticator("passkey-78"),
  deleteUser: (adapter) => adapter.deleteUser("user-81"),
  "acquireLease, new": (adapter) => adapter.acquireLease(lease("new")),
  "acquireLease, held": (adapter) => adapter.acquireLease(lease("lease-77")),
  "acquireLease, over": (adapter) => adapter.acquireLease(lease("over")),
  completeLease: (adapter) => adapter.completeLease({ ...lease("lease-77"), result: "x" }),
  "countAttempt, new": (adapter) => adapter.countAttempt("new", 60),
  countAttempt: (adapter) => adapter.countAttempt("attempt-77", 60),
  resetAttempts: (adapter) => adapter.resetAttempts("attempt-77"),
  getSessionRecord: (adapter) => adapter.getSessionRecord?.("record-77"),
  listSessionRecords: (adapter) => adapter.listSessionRecords?.("user-77"),
  "findSessionRecords, of a session": (adapter) =>
    adapter.findSessionRecords?.({ providerSession: "session-77" }),
  "findSessionRecords, of a subject": (adapter) =>
    adapter.findSessionRecords?.({ providerSubject: "subject-77" }),
  updateSessionRecord: (adapter) =>
    adapter.updateSessionRecord?.({ id: "record-77", lastSeenAt: new Date("2030-01-01") }),
  deleteSessionRecord: (adapter) => adapter.deleteSessionRecord?.("record-78"),
  listSessionChanges: (adapter) => adapter.listSessionChanges?.(new Date("2030-01-02")),
  releaseLease: (adapter) => adapter.releaseLease(lease("lease-77")),
}

function lease(key: string): Lease {
  return { key, holder: "h", lifetime: 1000 }
}

const distinctKinds = databaseKinds.filter(({ name }) => !/file|RETURNING/.test(name))

test.each(distinctKinds)(
  "every statement uses an index, on $name",
  { timeout: 60_000 },
  async (kind) => {
    const opened = await kind.open()
    await migrate(opened.database, options)
    await fill(kind, opened)
    const { adapter, statements } = createRecordingAdapter(opened, options)
    await adapter.acquireLease({ ...lease("over"), lifetime: -1000 })
    for (const [name, operation] of Object.entries(operations)) {
      statements.length = 0
      await operation(adapter)
      expect(statements, name).not.toEqual([])
      for (const statement of statements) {
        const plan = await explainStatement(kind, opened, statement)
        const message = `${name}: ${statement.sql}\n${plan.join("\n")}`
        expect
          .soft(
            plan.filter((line) => fullScanPatterns[kind.dialect].test(line)),
            message,
          )
          .toEqual([])
      }
    }
  },
)

test.each(distinctKinds)("a statement without an index is detected, on $name", async (kind) => {
  const opened = await kind.open()
  await migrate(opened.database, options)
  await fill(kind, opened)
  const quoted = kind.dialect === "mysql" ? "`Session`" : '"Session"'
  const sql = `select expires from ${quoted} where id = '1' or expires is not null`
  const plan = await explainStatement(kind, opened, { sql, parameters: [], returnsRows: true })
  expect(plan.filter((line) => fullScanPatterns[kind.dialect].test(line))).toHaveLength(1)
})

const rows = 5000

/** Fills every table, because databases scan small tables without an index. */
async function fill({ dialect }: DatabaseKind, { query }: TestDatabase): Promise<void> {
  const date = {
    mysql: "'2030-01-01'",
    postgres: "timestamptz '2030-01-01'",
    sqlite: "1893456000000",
  }
  const expires = date[dialect]
  const yes = dialect === "postgres" ? "true" : "1"
  const many = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows}) select`
  await query(
    `insert into "User" (id, email) ${many} concat('user-', i), concat('user-', i, '@example.test') from n`,
  )
  await query(
    `insert into "Account" (id, "userId", type, provider, "providerAccountId")
     ${many} concat('account-', i), concat('user-', i), 'oidc', 'tenantidp', concat('sub-', i) from n`,
  )
  await query(
    `insert into "Session" (id, "userId", "sessionToken", expires)
     ${many} concat('session-', i), concat('user-', i), concat('token-', i), ${expires} from n`,
  )
  await query(
    `insert into "VerificationToken" (identifier, token, expires)
     ${many} concat('user-', i, '@example.test'), concat('token-', i), ${expires} from n`,
  )
  await query(
    `insert into "Authenticator" ("credentialID", "userId", "providerAccountId", "credentialPublicKey",
       counter, "credentialDeviceType", "credentialBackedUp")
     ${many} concat('passkey-', i), concat('user-', i), 'x', 'x', 0, 'x', ${yes} from n`,
  )
  await query(
    `insert into "LatchkeyLease" ("key", holder, expires)
     ${many} concat('lease-', i), 'h', ${expires} from n`,
  )
  await query(
    `insert into "LatchkeyAttempt" ("key", "count", expires)
     ${many} concat('attempt-', i), 1, ${expires} from n`,
  )
  await query(
    `insert into "LatchkeySessionRecord" (id, "userId", "createdAt", "lastSeenAt", expires, "providerSession",
       "providerSubject", details)
     ${many} concat('record-', i), concat('user-', i), ${expires}, ${expires}, ${expires},
       concat('session-', i), concat('subject-', i), '{}' from n`,
  )
  await query(
    `insert into "LatchkeySessionChange" ("key", "changedAt", expires, details)
     ${many} concat('change-', i), ${expires}, ${expires}, '{}' from n`,
  )
  const tables = [
    "User",
    "Account",
    "Session",
    "VerificationToken",
    "Authenticator",
    "LatchkeyLease",
    "LatchkeyAttempt",
    "LatchkeySessionRecord",
    "LatchkeySessionChange",
  ]
  for (const table of tables) {
    await query(dialect === "mysql" ? `analyze table "${table}"` : `analyze "${table}"`)
  }
}

/** The part of a plan that shows a full table scan. */
const fullScanPatterns = {
  mysql: /"access_type": "(?:ALL|index)"/,
  postgres: /Seq Scan/,
  sqlite: /^SCAN (?!CONSTANT)/,
} as const

async function explainStatement(
  { dialect }: DatabaseKind,
  { database }: TestDatabase,
  { sql, parameters }: Statement,
): Promise<string[]> {
  if (dialect === "postgres") {
    const { rows } = await (database as PostgresPool).query(`explain ${sql}`, [...parameters])
    return rows.map((row) => String(row["QUERY PLAN"]))
  }
  if (dialect === "mysql") {
    const values = parameters as string[]
    const [[row]] = await (database as MysqlPool).query<RowDataPacket[]>(
      `explain format=json ${sql}`,
      values,
    )
    return String(row?.["EXPLAIN"]).split("\n")
  }
  const plan = (database as DatabaseSync).prepare(`explain query plan ${sql}`)
  return plan.all(...(parameters as string[])).map(({ detail }) => String(detail))
}
