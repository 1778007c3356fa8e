/** `npm run bench:growth`: measures how cost grows with rows, and writes what came of it. */
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { writeGenerated } from "../../scripts/generated.ts"
import { lookAround } from "../report/machine.ts"
import { measurePools } from "./connections.ts"
import { GrowthDatabase, serverFacts } from "./database.ts"
import { type GrowthOptions, readOptions } from "./options.ts"
import { touchedBy } from "./plans.ts"
import { measureRedis, type RedisMemory } from "./redis-memory.ts"
import { type GrowthResults, markdownOf } from "./report.ts"
import { measureWorks } from "./rounds.ts"
import { storedIn } from "./sizes.ts"

async function measure(options: GrowthOptions): Promise<GrowthResults> {
  const { sizes } = options
  const machine = lookAround(["@latchkey/core", "@latchkey/sql", "pg"])
  await using database = await GrowthDatabase.create()
  for (const size of sizes) {
    console.log(`filling ${size} sessions`)
    await database.fill(size)
  }
  await using client = await database.connect("public")
  const server = await serverFacts(client)
  const stored = await eachOf(sizes, (size) => storedIn(database, size))
  const touched = await eachOf(sizes, (size) => touchedBy(database, size))
  const middle = sizes[Math.min(1, sizes.length - 1)] ?? 0
  const pools = { sessions: middle, rounds: await measurePools(database, middle, options) }
  // The last: it removes rows, and the others ask for any of them.
  const rounds = await measureWorks(database, options)
  const redis: RedisMemory[] = []
  for (const count of options.redis) redis.push(await measureRedis(count))
  return { machine, server, options, stored, touched, rounds, pools, redis }
}

/** One after the other: each has the server to itself. */
async function eachOf<Value>(
  sizes: readonly number[],
  measured: (size: number) => Promise<Value>,
): Promise<Record<number, Value>> {
  const values: Record<number, Value> = {}
  for (const size of sizes) values[size] = await measured(size)
  return values
}

const options = readOptions(process.argv.slice(2))
const results = await measure(options)
const markdown = markdownOf(results)
if (options.writes) {
  const file = "bench/growth/results.json"
  writeFileSync(file, JSON.stringify(results))
  // As the rest of the repository is.
  execFileSync("node_modules/.bin/biome", ["format", "--write", file])
  writeGenerated("docs/scaling.md", "measurements", markdown)
}
console.log(`\n${markdown}\n`)
console.log(`growth: ${Object.keys(results.rounds).length} sizes`)
