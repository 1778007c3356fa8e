import { randomBytes } from "node:crypto"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { Client, Pool } from "pg"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { postgresUrl } from "./support/connections.ts"
import type { OnFinished } from "./support/database-kinds/database-kind.ts"
import { createQuery, postgresServer } from "./support/database-kinds/postgres.ts"
import { hasPgBouncer, type PgBouncer, startPgBouncer } from "./support/pgbouncer.ts"
import { createRowReader } from "./support/row-reader.ts"
import { runConformance } from "./support/run-conformance.ts"

const isAvailable = hasPgBouncer && postgresServer.length > 0

describe.runIf(isAvailable)("through PgBouncer with transaction pooling", () => {
  let pooler: PgBouncer
  beforeAll(async () => {
    pooler = await startPgBouncer()
  })
  afterAll(() => pooler[Symbol.asyncDispose]())

  /** Creates the pools of two processes for a database that is dropped after the test. */
  async function open(onFinished: OnFinished = onTestFinished): Promise<readonly [Pool, Pool]> {
    const name = `latchkey_${randomBytes(8).toString("hex")}`
    await runStatement(`create database ${name}`)
    const pools = [openPool(pooler.urlOf(name)), openPool(pooler.urlOf(name))] as const
    onFinished(async () => {
      for (const pool of pools) await pool.end()
      await runStatement(`drop database ${name} with (force)`)
    })
    return pools
  }

  const connect = async (onFinished: OnFinished) => {
    const [one, other] = await open(onFinished)
    const options = { sessionRecords: true }
    await migrate(one, options)
    const db = createRowReader({ database: one, query: createQuery(one) })
    return { adapter: SqlAdapter(one, options), second: SqlAdapter(other, options), db }
  }
  runConformance(connect, ["second"])

  test("ten callers migrate concurrently", async () => {
    const [one, other] = await open()
    const reports = await Promise.all(
      Array.from({ length: 10 }, (_, process) => migrate(process % 2 ? one : other)),
    )
    expect(reports.flatMap(({ applied }) => applied)).toHaveLength(reports[0]?.to ?? 0)
  })
})

function openPool(connectionString: string): Pool {
  const pool = new Pool({ connectionString, max: 20 })
  pool.on("error", () => undefined)
  return pool
}

/** Runs one statement on a separate connection, without the pooler. */
async function runStatement(statement: string): Promise<void> {
  const client = new Client({ connectionString: postgresUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}
