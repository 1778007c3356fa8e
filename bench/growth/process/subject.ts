/** Measures one dimension with one number, in its own process, and prints the values as JSON. */
import type { Dimension } from "./dimensions.ts"
import { measureProviders } from "./providers.ts"
import { measureRecords } from "./records.ts"
import { measureRevocations } from "./revocations.ts"
import { measureSessions } from "./sessions.ts"
import { measureTenants } from "./tenants.ts"

const [, , dimension = "", count, duration, file = ""] = process.argv
const measure = {
  sessions: measureSessions,
  records: measureRecords,
  revocations: measureRevocations,
  providers: measureProviders,
  tenants: measureTenants,
}[dimension as Dimension] // the parent process passes a dimension
console.log(JSON.stringify(await measure(Number(count), Number(duration), file)))
