/** A temporary database on the PostgreSQL server of `LATCHKEY_POSTGRES`. */
import { randomBytes } from "node:crypto"
import { Client } from "pg"

const serverUrl =
  process.env["LATCHKEY_POSTGRES"] ?? "postgres://postgres@127.0.0.1:5432/test?sslmode=disable"

async function runAsAdministrator(sql: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

/** Creates a database and returns its URL. The server waits a moment for connections that are about to end. */
export async function createPostgresDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `latchkey_compat_${randomBytes(6).toString("hex")}`
  await runAsAdministrator(`create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runAsAdministrator(`drop database ${name}`) }
}
