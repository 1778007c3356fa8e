/** A temporary database with a schema for each number of rows. */
import { migrate } from "@latchkey/sql"
import { Client, Pool } from "pg"
import { TemporaryDatabase } from "../temporary-database.ts"
import { fillWithoutIndices } from "./bulk-fill.ts"
import { insertRows } from "./rows.ts"

/** Settings to build indices quickly. */
const bulkSettings = "set maintenance_work_mem = '1GB'; set synchronous_commit = off"

/** A database that is deleted when it is disposed of. */
export class GrowthDatabase implements AsyncDisposable {
  readonly #database: TemporaryDatabase

  private constructor(database: TemporaryDatabase) {
    this.#database = database
  }

  /** @throws Error of the driver if the role may not create databases and extensions */
  static async create(): Promise<GrowthDatabase> {
    const database = new GrowthDatabase(await TemporaryDatabase.create())
    await using client = await database.connect("public")
    await client.query("create extension pageinspect")
    return database
  }

  /** Fills a schema with a number of sessions. */
  async fillSchema(sessions: number): Promise<void> {
    const schema = schemaName(sessions)
    await using client = await this.connect("public")
    await client.query(
      `${bulkSettings}; create schema ${schema}; set search_path to ${schema}, public`,
    )
    const pool = this.createPool(sessions, 1)
    await migrate(pool)
    await pool.end()
    await fillWithoutIndices(client, () => insertRows(client, sessions))
    for (const table of ["User", "Account", "Session", "VerificationToken"]) {
      await client.query(`vacuum analyze "${table}"`)
    }
    await client.query("checkpoint")
  }

  /** Opens a separate connection. */
  async connect(schema: string): Promise<Client & AsyncDisposable> {
    const client = new Client(this.#settings(schema))
    await client.connect()
    return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
  }

  /** Opens a connection to the schema with a number of sessions. */
  connectToSize(sessions: number): Promise<Client & AsyncDisposable> {
    return this.connect(schemaName(sessions))
  }

  /** Creates a pool for it, as an application does. */
  createPool(sessions: number, max: number): Pool {
    const pool = new Pool({ ...this.#settings(schemaName(sessions)), max })
    // If a measurement fails, the database is dropped while connections are open. Only the failure itself is reported.
    pool.on("error", () => undefined)
    return pool
  }

  #settings(schema: string): { connectionString: string; options: string } {
    const connectionString = this.#database.url
    return { connectionString, options: `-c search_path=${schema},public` }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#database[Symbol.asyncDispose]()
  }
}

function schemaName(sessions: number): string {
  return `sessions_${sessions}`
}

/** The version and settings of the server. */
export async function readServerSettings(
  client: Client,
): Promise<Readonly<Record<string, string>>> {
  const names = ["server_version", "shared_buffers", "fsync", "max_connections"]
  const settings: Record<string, string> = {}
  for (const name of names) {
    const { rows } = await client.query(`show ${name}`)
    settings[name] = String(rows[0]?.[name]).split(" ")[0] ?? ""
  }
  return settings
}
