/** `npm run bench:growth`: measures how cost grows with the number of rows, and writes the results. */
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { printLine, showProgress } from "../progress.ts"
import { describeMachine } from "../report/machine.ts"
import { updateReports } from "../report/update-reports.ts"
import { GrowthDatabase, readServerSettings } from "./database.ts"
import { type GrowthOptions, parseOptions } from "./options.ts"
import { measurePoolThroughput } from "./pool-throughput.ts"
import { runProcessGrowth } from "./process/run.ts"
import { measureQueryCosts } from "./query-plans.ts"
import { measureRedis, type RedisMemoryUsage } from "./redis-memory.ts"
import { type GrowthResults, renderMarkdown } from "./report.ts"
import { measureWorkloads } from "./rounds.ts"
import { readStorageSizes } from "./storage-sizes.ts"

async function measureGrowth(growthOptions: GrowthOptions): Promise<GrowthResults> {
  const { sessionCounts } = growthOptions
  const machine = describeMachine(["@latchkey/core", "@latchkey/sql", "pg"])
  await using database = await GrowthDatabase.create()
  for (const size of sessionCounts) {
    printLine(`filling ${size} sessions`)
    await database.fillSchema(size)
  }
  await using client = await database.connect("public")
  const server = await readServerSettings(client)
  const storageSizes = await measureEach("disk space", sessionCounts, (size) =>
    readStorageSizes(database, size),
  )
  const queryCosts = await measureEach("pages that are read", sessionCounts, (size) =>
    measureQueryCosts(database, size),
  )
  const middleSize = sessionCounts[Math.min(1, sessionCounts.length - 1)] ?? 0
  const pools = {
    sessions: middleSize,
    rounds: await measurePoolThroughput(database, middleSize, growthOptions),
  }
  // Runs last, because it deletes rows that other workloads may read.
  const rounds = await measureWorkloads(database, growthOptions)
  const redis: RedisMemoryUsage[] = []
  for (const count of growthOptions.redisSessionCounts) {
    showProgress(`Redis, ${count} sessions`)
    redis.push(await measureRedis(count))
  }
  return { machine, server, options: growthOptions, storageSizes, queryCosts, rounds, pools, redis }
}

/** Runs sequentially, so that each measurement has the server to itself. */
async function measureEach<Value>(
  title: string,
  sizes: readonly number[],
  measureSize: (size: number) => Promise<Value>,
): Promise<Record<number, Value>> {
  const values: Record<number, Value> = {}
  for (const size of sizes) {
    showProgress(`${title}, ${size} sessions`)
    values[size] = await measureSize(size)
  }
  return values
}

async function runDatabaseGrowth(args: readonly string[]): Promise<void> {
  const growthOptions = parseOptions(args)
  const results = await measureGrowth(growthOptions)
  const markdown = renderMarkdown(results)
  if (growthOptions.writesResults) {
    const file = "bench/growth/results.json"
    writeFileSync(file, JSON.stringify(results))
    // Formats the file as the rest of the repository.
    execFileSync("node_modules/.bin/biome", ["format", "--write", file])
    updateReports()
  }
  printLine(`\n${markdown}\n`)
  console.log(`growth: ${Object.keys(results.rounds).length} sizes`)
}

const args = process.argv.slice(2)
if (args[0] === "process") await runProcessGrowth(args.slice(1))
else await runDatabaseGrowth(args)
