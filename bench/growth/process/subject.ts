/** Measures one dimension with one number, in its own process, and prints the values as JSON. */
import { measureConfigurations } from "./configurations.ts"
import type { Dimension } from "./dimensions.ts"
import { measureProviders } from "./providers.ts"
import { measureSessions } from "./sessions.ts"

const [, , dimension = "", count, duration, file = ""] = process.argv
const measure = {
  sessions: measureSessions,
  providers: measureProviders,
  configurations: measureConfigurations,
}[dimension as Dimension] // the parent process passes a dimension
console.log(JSON.stringify(await measure(Number(count), Number(duration), file)))
