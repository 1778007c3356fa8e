/** What the server touches for a work. This depends on the rows and not on what else the machine does. */
import type { PostgresPool, PostgresResult } from "@latchkey/sql"
import type { Client } from "pg"
import { median } from "../report/statistics.ts"
import type { GrowthDatabase } from "./database.ts"
import { insertExpired, usersFor } from "./rows.ts"
import { expiredRows, type WorkName, works, worksOn } from "./works.ts"

/** How many random rows each work is explained for. */
const samples = 15

/** What a work's statements do together: medians of some random rows. */
export interface Touched {
  /** Pages of 8 KiB that were looked at, in the server's memory or not. */
  readonly pages: number
  /** Bytes that are added to the server's log of changes (WAL). */
  readonly log: {
    /** When pages change for the first time after a checkpoint: they are logged as a whole. */
    readonly first: number
    readonly again: number
  }
  readonly statements: number
  /** The indices that were used. */
  readonly indices: readonly string[]
}

interface Plan {
  readonly "Shared Hit Blocks": number
  readonly "Shared Read Blocks": number
  readonly "WAL Bytes": number
  readonly "Index Name"?: string
  readonly Plans?: readonly Plan[]
}

/** A statement, explained twice. */
interface Explained {
  readonly first: Plan
  readonly again: Plan
}

/** Explains every work on so many sessions. Nothing is changed. */
export async function touchedBy(
  database: GrowthDatabase,
  size: number,
): Promise<Readonly<Record<WorkName, Touched>>> {
  await using client = await database.connectTo(size)
  await client.query("checkpoint")
  await client.query("begin")
  await insertExpired(client, expiredRows, usersFor(size))
  const statements: Explained[] = []
  const make = worksOn(explaining(client, statements), size)
  const entries: [WorkName, Touched][] = []
  for (const work of works) {
    const runs: (readonly Explained[])[] = []
    for (let sample = 0; sample < samples; sample++) {
      statements.length = 0
      await takenBack(client, make(work))
      runs.push([...statements])
    }
    entries.push([work, summary(runs)])
  }
  await client.query("rollback")
  // One entry for each of the names.
  return Object.fromEntries(entries) as Record<WorkName, Touched>
}

/** A pool that is one connection, and explains what goes through it before it is done. */
function explaining(client: Client, statements: Explained[]): PostgresPool {
  const explain = (text: string, values: unknown[]): Promise<Plan> =>
    takenBack(client, async () => {
      const options = "analyze, buffers, wal, timing off, format json"
      const { rows } = await client.query(`explain (${options}) ${text}`, values)
      return rows[0]["QUERY PLAN"][0].Plan
    })
  const query = async (text: string, values: unknown[]): Promise<PostgresResult> => {
    const first = await explain(text, values)
    statements.push({ first, again: await explain(text, values) })
    return client.query(text, values)
  }
  const connect = () => Promise.reject(new TypeError("No work has a transaction"))
  return { query, connect, totalCount: 1 }
}

let savepoints = 0

async function takenBack<Value>(client: Client, work: () => Promise<Value>): Promise<Value> {
  const name = `before_${savepoints++}`
  await client.query(`savepoint ${name}`)
  const value = await work()
  await client.query(`rollback to ${name}`)
  return value
}

function summary(runs: readonly (readonly Explained[])[]): Touched {
  const summed = (quantity: (statement: Explained) => number) =>
    median(runs.map((run) => run.reduce((sum, statement) => sum + quantity(statement), 0)))
  const [one = []] = runs
  return {
    pages: summed(({ again }) => again["Shared Hit Blocks"] + again["Shared Read Blocks"]),
    log: {
      first: summed(({ first }) => first["WAL Bytes"]),
      again: summed(({ again }) => again["WAL Bytes"]),
    },
    statements: one.length,
    indices: [...new Set(one.flatMap(({ again }) => indicesOf(again)))],
  }
}

function indicesOf(plan: Plan): string[] {
  const own = plan["Index Name"]
  return [...(own === undefined ? [] : [own]), ...(plan.Plans ?? []).flatMap(indicesOf)]
}
