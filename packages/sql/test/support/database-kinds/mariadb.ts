import { randomBytes } from "node:crypto"
import { createConnection, type Pool } from "mysql2/promise"
import { onTestFinished } from "vitest"
import { mariadbPool, mariadbUrl } from "../connections.ts"
import type { DatabaseKind, OnFinished, Row, TestDatabase } from "./database-kind.ts"
import { kindsIfReachable, withLocalPort } from "./servers.ts"

/** Creates a pool for a new database. */
interface MariadbTestDatabase extends TestDatabase {
  readonly database: Pool
  readonly schema: string
}

async function openMariadb(onFinished: OnFinished = onTestFinished): Promise<MariadbTestDatabase> {
  const schema = `latchkey_${randomBytes(8).toString("hex")}`
  await runStatement(`create database ${schema} character set latin1`)
  onFinished(() => runStatement(`drop database ${schema}`))
  const openPool = (address?: string): Pool => {
    const pool = mariadbPool(schema, address === undefined ? {} : { address })
    onFinished(() => pool.end().catch(() => undefined))
    return pool
  }
  const { hostname, port } = new URL(mariadbUrl)
  return {
    database: openPool(),
    schema,
    query: (sql, ...values) => queryRows(schema, sql, values),
    reconnect: () => openPool(),
    connectThroughPort: (proxyPort) => openPool(withLocalPort(mariadbUrl, proxyPort)),
    address: `mariadb:${schema}`,
    server: { host: hostname, port: Number(port || 3306) },
  }
}

/** Runs one statement on a separate connection. */
async function runStatement(sql: string): Promise<void> {
  const connection = await createConnection({ uri: mariadbUrl, connectTimeout: 2000 })
  try {
    await connection.query(sql)
  } finally {
    await connection.end()
  }
}

async function queryRows(schema: string, sql: string, values: unknown[]): Promise<Row[]> {
  const url = new URL(mariadbUrl)
  url.pathname = `/${schema}`
  const connection = await createConnection({ uri: url.href, timezone: "Z" })
  try {
    await connection.query(
      "set session sql_mode = concat(@@sql_mode, ',ANSI_QUOTES'), max_recursive_iterations = 100000",
    )
    const [rows] = await connection.query(sql, values)
    return Array.isArray(rows) ? (rows as Row[]).map(normalizeRow) : []
  } finally {
    await connection.end()
  }
}

const booleans = ["credentialBackedUp", "admin"]

function normalizeRow(row: Row): Row {
  const entries = Object.entries(row).map(([column, value]) =>
    booleans.includes(column) && value !== null ? [column, value === 1] : [column, value],
  )
  return Object.fromEntries(entries)
}

export const mariadbKinds: readonly DatabaseKind[] = await kindsIfReachable(
  { name: "MariaDB", variable: "LATCHKEY_MARIADB", url: mariadbUrl },
  () => runStatement("select 1"),
  [
    {
      name: "MariaDB",
      dialect: "mysql",
      features: ["interrupt", "second"],
      open: openMariadb,
    },
  ],
)
