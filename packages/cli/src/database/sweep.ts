/** `latchkey sweep`: removes expired rows from the database of an adapter. */

import type { ConfigLocation } from "../command-options.ts"
import { joinNames } from "../doctor/finding.ts"
import { CommandError, type Terminal } from "../terminal.ts"
import { loadAdapter, runOnDatabase } from "./load-adapter.ts"
import { listMissingMigrations } from "./maintenance.ts"

/** Rows of each table that one statement removes: few enough not to delay sign-ins. */
const batchSize = 1000

/**
 * Time since the expiry of a row, in milliseconds, because the clocks of this machine and the application may differ.
 */
const gracePeriod = 3_600_000

/** Prints the number of removed rows. */
export async function runSweepCommand(
  command: ConfigLocation,
  terminal: Terminal,
): Promise<number> {
  const { adapter, file } = await loadAdapter(command)
  if (typeof adapter.deleteExpired !== "function") {
    throw new CommandError(
      `The adapter in ${file} has no method deleteExpired, which this command calls.`,
    )
  }
  const missingMigrations = await runOnDatabase(() => listMissingMigrations(adapter))
  if (missingMigrations.length > 0) {
    throw new CommandError(
      `The database lacks ${joinNames(missingMigrations)}. Nothing was removed. Run npx @latchkey/cli migrate first.`,
    )
  }
  const before = new Date(Date.now() - gracePeriod)
  const removed = await runOnDatabase(async () => {
    let count = 0
    for (;;) {
      const rows = await adapter.deleteExpired?.(before, batchSize)
      if (!rows) return count
      count += rows
      terminal.progress?.(`Removed ${count.toLocaleString("en")} expired rows`)
    }
  })
  terminal.out(`Removed ${removed} expired ${removed === 1 ? "row" : "rows"}.`)
  return 0
}
