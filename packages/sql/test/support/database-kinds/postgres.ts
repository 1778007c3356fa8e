import { randomBytes } from "node:crypto"
import { PGlite } from "@electric-sql/pglite"
import { Client, type Pool, types } from "pg"
import { onTestFinished } from "vitest"
import { postgresPool, postgresUrl } from "../connections.ts"
import type { DatabaseKind, OnFinished, Row, TestDatabase } from "./database-kind.ts"
import { kindsIfReachable, withLocalPort } from "./servers.ts"

// Dates without a zone, which others store in UTC, are not in the zone of this process.
types.setTypeParser(types.builtins.TIMESTAMP, (text) => new Date(`${text.replace(" ", "T")}Z`))

/** Creates a pool for a new schema. */
interface PostgresTestDatabase extends TestDatabase {
  readonly database: Pool
  readonly schema: string
}

async function openPostgres(
  onFinished: OnFinished = onTestFinished,
): Promise<PostgresTestDatabase> {
  const schema = `latchkey_${randomBytes(8).toString("hex")}`
  await runStatement(`create schema ${schema}`)
  onFinished(async () => void (await runStatement(`drop schema ${schema} cascade`)))
  const openPool = (url?: string): Pool => {
    const pool = postgresPool(schema, url === undefined ? {} : { url })
    onFinished(async () => {
      if (!pool.ended) await pool.end()
    })
    return pool
  }
  const database = openPool()
  const { hostname, port } = new URL(postgresUrl)
  return {
    database,
    schema,
    query: createQuery(database),
    reconnect: () => openPool(),
    connectThroughPort: (proxyPort) => openPool(withLocalPort(postgresUrl, proxyPort)),
    address: `postgres:${schema}`,
    server: { host: hostname, port: Number(port || 5432) },
  }
}

/** Runs one statement on a separate connection. */
async function runStatement(sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: postgresUrl, connectionTimeoutMillis: 2000 })
  try {
    await client.connect()
    const { rows } = await client.query(sql)
    return rows
  } finally {
    await client.end()
  }
}

let pglite: Promise<PGlite> | undefined

/** One PGlite for all tests of a file, because starting it takes a second. Each test has its own schema. */
async function openPglite(
  onFinished: OnFinished = onTestFinished,
): Promise<TestDatabase & { database: PGlite }> {
  pglite ??= PGlite.create()
  const database = await pglite
  const schema = `latchkey_${randomBytes(8).toString("hex")}`
  await database.exec(`create schema ${schema}; set search_path to ${schema}`)
  onFinished(async () => void (await database.exec(`drop schema ${schema} cascade`)))
  return { database, query: createQuery(database) }
}

export interface Queryable {
  query(sql: string, values: unknown[]): Promise<{ rows: unknown[] }>
}

export function createQuery(database: Queryable): TestDatabase["query"] {
  return async (sql, ...values) => {
    let position = 0
    const numbered = sql.replaceAll("?", () => {
      position += 1
      return `$${position}`
    })
    const { rows } = await database.query(numbered, values)
    return (rows as Row[]).map(normalizeRow)
  }
}

const numbers = ["expires_at", "counter", "version", "sessions"]

/** Large numbers are returned as text. */
function normalizeRow(row: Row): Row {
  const entries = Object.entries(row).map(([column, value]) =>
    numbers.includes(column) && value !== null ? [column, Number(value)] : [column, value],
  )
  return Object.fromEntries(entries)
}

const serverKind: DatabaseKind = {
  name: "PostgreSQL",
  dialect: "postgres",
  features: ["interrupt", "second", "watchSessionChanges"],
  open: openPostgres,
}

export const postgresServer: readonly DatabaseKind[] = await kindsIfReachable(
  { name: "PostgreSQL", variable: "LATCHKEY_POSTGRES", url: postgresUrl },
  () => runStatement("select 1"),
  [serverKind],
)

export const pgliteKind: DatabaseKind = { name: "PGlite", dialect: "postgres", open: openPglite }

/** The server, or PGlite where there is none: the engine and the statements are the same. */
export const postgresKinds: readonly DatabaseKind[] =
  postgresServer.length > 0 ? postgresServer : [pgliteKind]
