/** A database of PostgreSQL that is deleted when it is disposed of. */
import { randomBytes } from "node:crypto"
import { Client } from "pg"

const serverUrl = process.env["LATCHKEY_POSTGRES"] ?? "postgres://postgres@127.0.0.1:5432/test"

export class TemporaryDatabase implements AsyncDisposable {
  readonly #name = `latchkey_bench_${randomBytes(4).toString("hex")}`
  /** The connection string. */
  readonly url: string

  private constructor() {
    const address = new URL(serverUrl)
    address.pathname = `/${this.#name}`
    this.url = address.href
  }

  /** @throws Error of the driver if the role may not create databases */
  static async create(): Promise<TemporaryDatabase> {
    const database = new TemporaryDatabase()
    await runAsAdministrator(`create database ${database.#name}`)
    return database
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await runAsAdministrator(`drop database ${this.#name} with (force)`)
  }
}

async function runAsAdministrator(statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}
