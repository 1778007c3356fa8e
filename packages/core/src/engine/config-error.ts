/** The problems of a configuration, which refuse every request. */
import type { SessionConfig } from "../config/resolved-config.ts"
import { type AuthError, InvalidConfiguration } from "../errors.ts"

/** Returns the problems of a configuration as one error; undefined if there are none. */
export function getConfigError({
  problems,
}: Pick<SessionConfig, "problems">): AuthError | undefined {
  const error = problems.length > 1 ? new InvalidConfiguration(problems) : problems[0]
  // Frameworks print the stack of what is thrown. Where a problem was found says nothing.
  if (error) error.stack = `${error.name}: ${error.message}`
  return error
}

/** @throws the error of a configuration with problems */
export function assertValidConfig(config: Pick<SessionConfig, "problems">): void {
  const error = getConfigError(config)
  if (error) throw error
}
