/**
 * The pages and rows that the server reads and writes for a workload. This depends on the rows and not on what else the
 * machine does.
 */
import type { PostgresPool, PostgresResult } from "@latchkey/sql"
import type { Client } from "pg"
import { median } from "../report/statistics.ts"
import type { GrowthDatabase } from "./database.ts"
import { countUsers, insertExpired } from "./rows.ts"
import { createWorkloads, expiredRowCount, type WorkloadId, workloadIds } from "./workloads.ts"

/** The number of random rows for which each workload is explained. */
const sampleCount = 15

/** The combined cost of a workload's statements: medians over random rows. */
export interface QueryCost {
  /** Pages of 8 KiB that were read, from memory or disk. */
  readonly pages: number
  /** Bytes added to the write-ahead log. */
  readonly walBytes: {
    /** For the first change of a page after a checkpoint, which logs the whole page. */
    readonly first: number
    readonly again: number
  }
  readonly statements: number
  /** The indices that were used. */
  readonly indices: readonly string[]
}

interface QueryPlan {
  readonly "Shared Hit Blocks": number
  readonly "Shared Read Blocks": number
  readonly "WAL Bytes": number
  readonly "Index Name"?: string
  readonly Plans?: readonly QueryPlan[]
}

/** A statement that was explained twice. */
interface ExplainedStatement {
  readonly first: QueryPlan
  readonly again: QueryPlan
}

/** Explains every workload for a number of sessions, without changing anything. */
export async function measureQueryCosts(
  database: GrowthDatabase,
  sessionCount: number,
): Promise<Readonly<Record<WorkloadId, QueryCost>>> {
  await using client = await database.connectToSize(sessionCount)
  await client.query("checkpoint")
  await client.query("begin")
  await insertExpired(client, expiredRowCount, countUsers(sessionCount))
  const statements: ExplainedStatement[] = []
  const createRun = createWorkloads(createExplainingPool(client, statements), sessionCount)
  const entries: [WorkloadId, QueryCost][] = []
  for (const workload of workloadIds) {
    const runs: (readonly ExplainedStatement[])[] = []
    for (let sample = 0; sample < sampleCount; sample++) {
      statements.length = 0
      await runAndRollBack(client, createRun(workload))
      runs.push([...statements])
    }
    entries.push([workload, summarizeRuns(runs)])
  }
  await client.query("rollback")
  // One entry for each of the names.
  return Object.fromEntries(entries) as Record<WorkloadId, QueryCost>
}

/** A pool with one connection that explains each statement before it runs it. */
function createExplainingPool(client: Client, statements: ExplainedStatement[]): PostgresPool {
  const explain = (text: string, values: unknown[]): Promise<QueryPlan> =>
    runAndRollBack(client, async () => {
      const options = "analyze, buffers, wal, timing off, format json"
      const { rows } = await client.query(`explain (${options}) ${text}`, values)
      return rows[0]["QUERY PLAN"][0].Plan
    })
  const query = async (text: string, values: unknown[]): Promise<PostgresResult> => {
    // The adapter looks at its columns once, at the same time as its first work, of which it is no part.
    if (text.includes("pg_attribute")) return client.query(text, values)
    const first = await explain(text, values)
    statements.push({ first, again: await explain(text, values) })
    return client.query(text, values)
  }
  const connect = () => Promise.reject(new TypeError("No work has a transaction"))
  return { query, connect, totalCount: 1 }
}

let savepointCount = 0

async function runAndRollBack<Value>(
  client: Client,
  operation: () => Promise<Value>,
): Promise<Value> {
  const name = `before_${savepointCount++}`
  await client.query(`savepoint ${name}`)
  const value = await operation()
  await client.query(`rollback to ${name}`)
  return value
}

function summarizeRuns(runs: readonly (readonly ExplainedStatement[])[]): QueryCost {
  const sumMedian = (quantity: (statement: ExplainedStatement) => number) =>
    median(runs.map((run) => run.reduce((sum, statement) => sum + quantity(statement), 0)))
  const [firstRun = []] = runs
  return {
    pages: sumMedian(({ again }) => again["Shared Hit Blocks"] + again["Shared Read Blocks"]),
    walBytes: {
      first: sumMedian(({ first }) => first["WAL Bytes"]),
      again: sumMedian(({ again }) => again["WAL Bytes"]),
    },
    statements: firstRun.length,
    indices: [...new Set(firstRun.flatMap(({ again }) => collectIndices(again)))],
  }
}

function collectIndices(plan: QueryPlan): string[] {
  const indexName = plan["Index Name"]
  return [
    ...(indexName === undefined ? [] : [indexName]),
    ...(plan.Plans ?? []).flatMap(collectIndices),
  ]
}
