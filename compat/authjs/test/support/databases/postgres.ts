/** PostgreSQL over the network: a server, or PGlite behind a socket where there is none. */
import { randomBytes } from "node:crypto"
import { PGlite } from "@electric-sql/pglite"
import { PGLiteSocketServer } from "@electric-sql/pglite-socket"
import { Client, Pool } from "pg"
import type { RunQuery } from "./sql-rows.ts"

/** A temporary database. */
interface PostgresDatabase {
  readonly url: string
  close(): Promise<void>
}

export interface PostgresServer {
  readonly name: string
  createDatabase(): Promise<PostgresDatabase>
}

const pgliteServer: PostgresServer = {
  name: "PGlite",
  async createDatabase() {
    const db = await PGlite.create()
    const { server, port } = await startSocketServer(db)
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
      async close() {
        await server.stop()
        await db.close()
      },
    }
  },
}

/** Starts a server on a port that is not in use. With port 0 the chosen port would be unknown. */
async function startSocketServer(db: PGlite) {
  for (let attempt = 1; ; attempt += 1) {
    // Below the ports that the system gives to clients.
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const server = new PGLiteSocketServer({ db, port, host: "127.0.0.1", maxConnections: 8 })
    try {
      await server.start()
      return { server, port }
    } catch (error) {
      if (attempt === 5) throw error
    }
  }
}

const serverUrl =
  process.env["LATCHKEY_POSTGRES"] ?? "postgres://postgres@127.0.0.1:5432/test?sslmode=disable"

const postgresServer: PostgresServer = {
  name: "PostgreSQL",
  async createDatabase() {
    const name = `latchkey_compat_${randomBytes(6).toString("hex")}`
    await runAsAdministrator(`create database ${name}`)
    const url = new URL(serverUrl)
    url.pathname = `/${name}`
    return { url: url.href, close: () => runAsAdministrator(`drop database ${name} with (force)`) }
  },
}

async function runAsAdministrator(sql: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl, connectionTimeoutMillis: 2000 })
  try {
    await client.connect()
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** The server if it responds, and otherwise PGlite, which is the same engine. */
export const postgresServers: readonly PostgresServer[] = await runAsAdministrator("select 1").then(
  () => [postgresServer],
  (error: unknown) => {
    console.warn(`No PostgreSQL server at ${new URL(serverUrl).host}: PGlite instead (${error})`)
    return [pgliteServer]
  },
)

export interface PostgresTables extends PostgresDatabase {
  readonly pool: Pool
  readonly runQuery: RunQuery
}

/** Creates a database, runs statements in it, and connects to it. */
export async function createPostgresTables(
  postgres: PostgresServer,
  statements: readonly string[] = [],
): Promise<PostgresTables> {
  const { url, close } = await postgres.createDatabase()
  const pool = new Pool({ connectionString: url, max: 4 })
  pool.on("error", () => undefined) // the server stops before its idle connections
  for (const statement of statements) await pool.query(statement)
  return {
    url,
    pool,
    runQuery: async (sql, parameters = []) => (await pool.query(sql, [...parameters])).rows,
    async close() {
      await pool.end()
      await close()
    },
  }
}
