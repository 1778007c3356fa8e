/** The adapter of a configuration, for commands that work on its database. */
import { existsSync } from "node:fs"
import { loadEnvFile } from "node:process"
import type { Adapter } from "@latchkey/core/adapters"
import type { Whereabouts } from "../command-line.ts"
import { described } from "../doctor/finding.ts"
import { load } from "../doctor/load.ts"
import { Refusal } from "../terminal.ts"

/** An adapter, and the file of the configuration that names it. */
export interface Located {
  readonly file: string
  readonly adapter: Adapter
}

/**
 * Loads a configuration and takes the adapter out of it.
 *
 * @throws Refusal when there is none
 */
export async function locateAdapter(where: Whereabouts): Promise<Located> {
  const env = where.env ?? ".env"
  if (existsSync(env)) loadEnvFile(env)
  else if (where.env !== undefined) throw new Refusal(`There is no file ${where.env}.`)
  const loaded = await load(where.file, where.export)
  if (loaded.kind === "failed") {
    throw new Refusal([loaded.finding.what, loaded.finding.fix].filter(Boolean).join("\n"))
  }
  const { file, written } = loaded
  const adapter: unknown = "adapter" in written ? written.adapter : undefined
  if (typeof adapter !== "object" || adapter === null) {
    throw new Refusal(
      `The configuration in ${file} has no adapter: there is no database to work on.`,
    )
  }
  return { file, adapter }
}

/** Does some work on a database; what it says of a failure is what is printed. @throws Refusal */
export async function onDatabase<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof Refusal) throw cause
    throw new Refusal(described(cause), { cause })
  }
}
