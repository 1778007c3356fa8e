import { type AuthError, InvalidConfiguration } from "../errors.ts"

/** Returns the problems of a configuration as one error. */
export async function createConfigError(problems: readonly AuthError[]): Promise<AuthError> {
  const [problem, ...others] = problems
  const error = problem && others.length === 0 ? problem : new InvalidConfiguration(problems)
  // Frameworks print the stack of what is thrown. Where a problem was found says nothing.
  error.stack = `${error.name}: ${error.message}`
  return error
}
