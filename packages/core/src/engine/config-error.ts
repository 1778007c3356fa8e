/** The problems of a configuration, which refuse every request. */
import type { SessionConfig } from "../config/resolved-config.ts"
import type { AuthError } from "../errors.ts"
import { loadOnFirstCall } from "../load-on-first-call.ts"

const createConfigError = loadOnFirstCall(
  async () => (await import("./create-config-error.ts")).createConfigError,
)

/** Returns the problems of a configuration as one error; undefined, and no promise, if there are none. */
export function getConfigError({
  problems,
}: Pick<SessionConfig, "problems">): Promise<AuthError> | undefined {
  return problems.length > 0 ? createConfigError(problems) : undefined
}
