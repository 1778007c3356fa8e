import { randomBytes } from "node:crypto"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { adapterConformance } from "@latchkey/testing"
import { Client, Pool } from "pg"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { postgresUrl } from "./support/address.ts"
import { postgresServer, queryOf } from "./support/kinds/postgres.ts"
import { hasPooler, type Pooler, startPooler } from "./support/pooler.ts"
import { readerOf } from "./support/reader.ts"

const served = hasPooler && postgresServer.length > 0

describe.runIf(served)("through PgBouncer, which lends connections for a transaction", () => {
  let pooler: Pooler
  beforeAll(async () => {
    pooler = await startPooler()
  })
  afterAll(() => pooler[Symbol.asyncDispose]())

  /** Pools of two processes that lead to one database, which is gone after the test. */
  async function open(): Promise<readonly [Pool, Pool]> {
    const name = `latchkey_${randomBytes(8).toString("hex")}`
    await asked(`create database ${name}`)
    const pools = [pooled(pooler.addressOf(name)), pooled(pooler.addressOf(name))] as const
    onTestFinished(async () => {
      for (const pool of pools) await pool.end()
      await asked(`drop database ${name} with (force)`)
    })
    return pools
  }

  adapterConformance({
    test,
    webauthn: true,
    connect: async () => {
      const [one, other] = await open()
      await migrate(one)
      const db = readerOf({ database: one, query: queryOf(one) })
      return { adapter: SqlAdapter(one), second: SqlAdapter(other), db }
    },
  })

  test("ten processes migrate at once", async () => {
    const [one, other] = await open()
    const reports = await Promise.all(
      Array.from({ length: 10 }, (_, process) => migrate(process % 2 ? one : other)),
    )
    expect(reports.flatMap(({ applied }) => applied)).toHaveLength(reports[0]?.to ?? 0)
  })
})

function pooled(connectionString: string): Pool {
  const pool = new Pool({ connectionString, max: 20 })
  pool.on("error", () => undefined)
  return pool
}

/** Runs one statement on a connection of its own, past the pooler. */
async function asked(statement: string): Promise<void> {
  const client = new Client({ connectionString: postgresUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}
