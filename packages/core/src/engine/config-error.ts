/** The problems of a configuration, which refuse every request. */
import type { SessionConfig } from "../config/resolved-config.ts"
import { type AuthError, InvalidConfiguration } from "../errors.ts"

/** Returns the problems of a configuration as one error; undefined if there are none. */
export function getConfigError({
  problems,
}: Pick<SessionConfig, "problems">): AuthError | undefined {
  const [problem, ...others] = problems
  const error = others.length > 0 ? new InvalidConfiguration(problems) : problem
  // Frameworks print the stack of what is thrown. Where a problem was found says nothing.
  if (error) error.stack = `${error.name}: ${error.message}`
  return error
}
