/** A MariaDB server, if one is available. */
import { randomBytes } from "node:crypto"
import { createConnection } from "mysql2/promise"
import type { RunQuery } from "./sql-rows.ts"

const serverUrl = process.env["LATCHKEY_MARIADB"] ?? "mysql://root@127.0.0.1:3306/test"

interface MariadbDatabase {
  readonly url: string
  readonly runQuery: RunQuery
  close(): Promise<void>
}

/** Creates a temporary database. */
export async function createMariadbDatabase(): Promise<MariadbDatabase> {
  const name = `latchkey_compat_${randomBytes(6).toString("hex")}`
  await runAsAdministrator(`create database ${name} character set utf8mb4`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const connection = await createConnection({ uri: url.href, timezone: "Z" })
  await connection.query("set session sql_mode = concat(@@sql_mode, ',ANSI_QUOTES')")
  return {
    url: url.href,
    async runQuery(sql, parameters = []) {
      const [rows] = await connection.query(sql, [...parameters])
      return Array.isArray(rows) ? rows : []
    },
    async close() {
      await connection.end()
      await runAsAdministrator(`drop database ${name}`)
    },
  }
}

async function runAsAdministrator(sql: string): Promise<void> {
  const connection = await createConnection({ uri: serverUrl, connectTimeout: 2000 })
  try {
    await connection.query(sql)
  } finally {
    await connection.end()
  }
}

/** Whether the server responds. */
export const hasMariadb: boolean = await runAsAdministrator("select 1").then(
  () => true,
  (error: unknown) => {
    console.warn(`No MariaDB server at ${new URL(serverUrl).host}: it is left out (${error})`)
    return false
  },
)
