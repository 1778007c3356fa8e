/** `npm run bench`: measures this library beside others, and writes what came of it. */
import { writeFileSync } from "node:fs"
import { writeGenerated } from "../scripts/generated.ts"
import { type LibraryId, libraries } from "./libraries/libraries.ts"
import { type BenchOptions, readOptions } from "./options.ts"
import { Load } from "./process/load.ts"
import { lookAround } from "./report/machine.ts"
import { markdownOf } from "./report/markdown.ts"
import { measureAll } from "./rounds.ts"
import { workNames } from "./tasks/work.ts"

const ids = Object.keys(libraries) as LibraryId[] // the keys of `libraries`

async function run(options: BenchOptions): Promise<void> {
  const packages = ids.flatMap((id) => [...libraries[id].packages])
  const machine = lookAround(packages)
  console.log("In process")
  const inProcess = await measureAll(ids, "process", options)
  console.log("Over HTTP, through Express")
  const http = await measureAll(ids, "http", options)
  Load.end()
  if (options.writes) {
    const markdown = markdownOf(machine, inProcess, http)
    console.log(`\n${markdown}\n`)
    const results = { machine, options, works: workNames, process: inProcess, http }
    writeFileSync("bench/results.json", `${JSON.stringify(results, null, 2)}\n`)
    writeGenerated("docs/performance.md", "measurements", markdown)
  }
  const works = [inProcess, http].map(({ rounds }) => Object.keys(rounds).length)
  console.log(`bench: ${ids.length} libraries, ${works[0]} works in process, ${works[1]} over HTTP`)
}

await run(readOptions(process.argv.slice(2)))
