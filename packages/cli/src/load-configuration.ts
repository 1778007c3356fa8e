/** Loads the configuration that a command works with. */
import { existsSync } from "node:fs"
import type { ConfigLocation } from "./command-options.ts"
import { loadConfig } from "./doctor/load-config.ts"
import { loadEnvFile } from "./secret/env-file.ts"
import { CommandError } from "./terminal.ts"

/** A configuration, and its file. */
export interface LoadedConfiguration {
  readonly file: string
  readonly config: object
}

/**
 * Loads the environment file and the configuration.
 *
 * @throws CommandError if there is none
 */
export async function loadConfiguration(location: ConfigLocation): Promise<LoadedConfiguration> {
  const env = location.env ?? ".env"
  if (existsSync(env)) loadEnvFile(env)
  else if (location.env !== undefined)
    throw new CommandError(`The file ${location.env} does not exist.`)
  const loadResult = await loadConfig(location.file, location.export)
  if (loadResult.kind === "loaded") return loadResult
  const { what, fix } = loadResult.finding
  throw new CommandError([what, fix].filter(Boolean).join("\n"))
}
