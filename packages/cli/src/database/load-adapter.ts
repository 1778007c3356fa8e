/** Loads the adapter of a configuration, for commands that work on its database. */
import type { Adapter } from "@latchkey/core/adapters"
import type { ConfigLocation } from "../command-options.ts"
import { describeError } from "../doctor/finding.ts"
import { loadConfiguration } from "../load-configuration.ts"
import { CommandError } from "../terminal.ts"

/** An adapter, and the file of its configuration. */
export interface LoadedAdapter {
  readonly file: string
  readonly adapter: Adapter
}

/**
 * Loads a configuration and returns its adapter.
 *
 * @throws CommandError if there is none
 */
export async function loadAdapter(location: ConfigLocation): Promise<LoadedAdapter> {
  const { file, config } = await loadConfiguration(location)
  const adapter: unknown = "adapter" in config ? config.adapter : undefined
  if (typeof adapter !== "object" || adapter === null) {
    throw new CommandError(
      `The configuration in ${file} has no adapter, so there is no database to work on.`,
    )
  }
  return { file, adapter }
}

/** Runs an operation on a database. @throws CommandError with the message of the database */
export async function runOnDatabase<Value>(operation: () => Promise<Value>): Promise<Value> {
  try {
    return await operation()
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    throw new CommandError(describeError(cause), { cause })
  }
}
