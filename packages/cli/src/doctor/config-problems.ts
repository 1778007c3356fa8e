/** The entry `@latchkey/cli/config-problems`: the problems of a configuration, for tools and tests. */
import type { AuthConfig } from "@latchkey/core"
import {
  createTextRedactor,
  findConfigWarnings,
  getErrorDocs,
  resolveConfig,
} from "@latchkey/core/cli"
import type { AuthError } from "@latchkey/core/errors"

/** An error in a configuration, or a warning about it. */
export interface ConfigProblem {
  /** With an error, every request is refused, or only `provider`. A warning is only logged, in development. */
  readonly level: "error" | "warning"
  /** Stable name: the type of the error, or the code of the warning. `docs/errors` has a page for each. */
  readonly type: string
  /** The provider that is left out because of the error: its id, or its path, such as `providers[1]`. */
  readonly provider?: string
  /** The path of the option, such as `session.maxAge`, `providers[1]` or `providers.google.clientId`. */
  readonly option: string
  readonly expected: string
  /** The value in the configuration, described without secrets. */
  readonly received?: string
  /** The change that fixes the problem. */
  readonly hint: string
  /** The option, `expected`, `received` and `hint` in one text. */
  readonly message: string
  /** How to read the page of the documentation: a command that prints it. */
  readonly docs: string
}

/**
 * Returns all problems of a configuration, errors first. Call `setEnvDefaults` first to include what the environment
 * provides.
 *
 * Logs nothing, makes no requests, and never rejects.
 */
export async function findConfigProblems(config: AuthConfig): Promise<readonly ConfigProblem[]> {
  const authConfig: AuthConfig = config ?? {}
  const resolved = resolveConfig(authConfig)
  const { redactSentence } = createTextRedactor(resolved.configuredSecrets)
  const createProblem = (level: ConfigProblem["level"], type: string, error: AuthError) => {
    const { message, hint, cause: { option, expected, received } = {} } = error
    return {
      level,
      type,
      option: String(option ?? ""),
      expected: redactSentence(String(expected ?? message)),
      ...(received === undefined ? {} : { received: redactSentence(String(received)) }),
      hint: redactSentence(hint),
      message: redactSentence(message),
      docs: getErrorDocs(type),
    }
  }
  return [
    ...resolved.problems.map((error) => createProblem("error", error.type, error)),
    ...resolved.providerProblems.map((error) => ({
      ...createProblem("error", error.type, error),
      provider: String(error.cause?.["provider"] ?? error.cause?.["option"]),
    })),
    ...findConfigWarnings(authConfig, resolved).map(({ type, error }) =>
      createProblem("warning", type, error),
    ),
  ]
}
