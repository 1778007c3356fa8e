import {
  type AuthConfig,
  setEnvDefaults as coreSetEnvDefaults,
  type EnvironmentVariables,
} from "@latchkey/core"
import type { EnvGetter } from "./event.ts"

/** Wraps Qwik's environment in an object with the variables as properties. */
export function toEnvironmentVariables(env: EnvGetter): EnvironmentVariables {
  const getVariable = (_: object, name: string | symbol) =>
    typeof name === "string" ? env.get(name) : undefined
  return new Proxy<EnvironmentVariables>({}, { get: getVariable })
}

/**
 * Writes defaults from the environment into a configuration, for code that uses the core directly. The other functions
 * of this package read the environment themselves, and never write to a configuration.
 *
 * @param env `env` of a request event
 */
export function setEnvDefaults(env: EnvGetter, config: AuthConfig): void {
  coreSetEnvDefaults(toEnvironmentVariables(env), config)
}
