import {
  type AuthConfig,
  setEnvDefaults as coreSetEnvDefaults,
  type EnvironmentVariables,
} from "@latchkey/core"
import type { EnvGetter } from "./event.ts"

/** Environment variables by name, as the framework gives them. */
export function toEnvironmentVariables(env: EnvGetter): EnvironmentVariables {
  const getVariable = (_: object, name: string | symbol) =>
    typeof name === "string" ? env.get(name) : undefined
  return new Proxy<EnvironmentVariables>({}, { get: getVariable })
}

/**
 * Writes defaults from the environment into a configuration, for code that uses the core by itself. The functions of
 * this package read the environment without it, and write to no configuration.
 *
 * @param env `env` of a request event
 */
export function setEnvDefaults(env: EnvGetter, config: AuthConfig): void {
  coreSetEnvDefaults(toEnvironmentVariables(env), config)
}
