/**
 * Lists the errors and warnings of a configuration, for tools that show them to the developer. The rules are in
 * `option-rules.ts`, `provider-rules.ts`, `config-checks.ts` and `warnings.ts`.
 */

import { getErrorDocs } from "../../errors/auth-error.ts"
import type { AuthError } from "../../errors.ts"
import { createTextRedactor } from "../../logging/redact-text.ts"
import type { AuthConfig } from "../auth-config.ts"
import { resolveConfig } from "../resolve-config.ts"

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
  // Applications that only import the library do not load the module that finds the warnings.
  const { findConfigWarnings } = await import("./warnings.ts")
  const authConfig: AuthConfig = config ?? {}
  const resolved = resolveConfig(authConfig)
  const { redactLine } = createTextRedactor(resolved.configuredSecrets)
  const createProblem = (level: ConfigProblem["level"], type: string, error: AuthError) => {
    const { message, hint, cause: { option, expected, received } = {} } = error
    return {
      level,
      type,
      option: String(option ?? ""),
      expected: redactLine(String(expected ?? message)),
      ...(received === undefined ? {} : { received: redactLine(String(received)) }),
      hint: redactLine(hint),
      message: redactLine(message),
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
