/** `latchkey sweep`: removes what has expired from the database of an adapter. */
import type { SweepCommand } from "../command-line.ts"
import { listed } from "../doctor/finding.ts"
import { Refusal, type Terminal } from "../terminal.ts"
import { locateAdapter, onDatabase } from "./adapter.ts"
import { lackingIn } from "./maintenance.ts"

/** How many rows of each table one statement removes: few enough not to hold up sign-ins. */
const batch = 1000

/** How long a row has to be over, in milliseconds: the clock of this machine need not be that of the application. */
const grace = 3_600_000

/** Prints how many rows it removed. */
export async function sweep(command: SweepCommand, terminal: Terminal): Promise<number> {
  const { adapter, file } = await locateAdapter(command)
  if (typeof adapter.deleteExpired !== "function") {
    throw new Refusal(
      `The adapter in ${file} has no method deleteExpired: there is nothing to call.`,
    )
  }
  const lacking = await onDatabase(() => lackingIn(adapter))
  if (lacking.length > 0) {
    throw new Refusal(
      `The database lacks ${listed(lacking)}. Nothing was removed: run npx @latchkey/cli migrate first.`,
    )
  }
  const before = new Date(Date.now() - grace)
  const removed = await onDatabase(async () => {
    let count = 0
    for (;;) {
      const rows = await adapter.deleteExpired?.(before, batch)
      if (!rows) return count
      count += rows
    }
  })
  terminal.out(`Removed ${removed} expired ${removed === 1 ? "row" : "rows"}.`)
  return 0
}
