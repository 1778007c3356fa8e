/** Finds the problems of a configuration, for tools that show them to the developer. */
import type { AuthConfig } from "./config/auth-config.ts"
import { collectConfiguredSecrets } from "./config/configured-secrets.ts"
import { resolveConfig } from "./config/resolve-config.ts"
import { findConfigWarnings, formatConfigWarning } from "./config-warnings.ts"
import type { AuthError } from "./errors.ts"
import { createTextRedactor } from "./logging/redact-text.ts"

/** An error in a configuration, or a warning about it. */
export interface ConfigProblem {
  /** With an error, every request is refused. A warning is only logged, in development. */
  readonly level: "error" | "warning"
  /** Stable name: the type of the error, or the code of the warning. `docs/errors.md` has a heading for each. */
  readonly type: string
  /** The path of the option, such as `session.maxAge`, `providers[1]` or `providers.google.clientId`. */
  readonly option: string
  readonly expected: string
  /** The value in the configuration, described without secrets. */
  readonly received?: string
  /** The change that fixes the problem. */
  readonly hint: string
  /** The option, `expected`, `received` and `hint` in one text. */
  readonly message: string
  /** The section of the documentation. */
  readonly docs: string
}

/**
 * Returns all problems of a configuration, errors first. Call `setEnvDefaults` first to include what the environment
 * provides.
 *
 * Logs nothing, makes no requests, and never throws.
 */
export function findConfigProblems(config: AuthConfig): readonly ConfigProblem[] {
  const authConfig: AuthConfig = config ?? {}
  const { redactLine } = createTextRedactor(collectConfiguredSecrets(authConfig))
  const resolved = resolveConfig(authConfig)
  return [
    ...resolved.problems.map((error) =>
      createConfigProblem("error", getErrorDetails(error), redactLine),
    ),
    ...findConfigWarnings(authConfig, resolved).map((warning) =>
      createConfigProblem("warning", warning, redactLine),
    ),
  ]
}

type ProblemDetails = Pick<ConfigProblem, "type" | "option" | "expected" | "received" | "hint">

function getErrorDetails(error: AuthError): ProblemDetails {
  const { option, expected, received } = error.cause ?? {}
  return {
    type: error.type,
    option: String(option ?? ""),
    expected: String(expected ?? error.message),
    ...(received === undefined ? {} : { received: String(received) }),
    hint: error.hint,
  }
}

function createConfigProblem(
  level: ConfigProblem["level"],
  details: ProblemDetails,
  redactLine: (text: string) => string,
): ConfigProblem {
  const { type, option, expected, received, hint } = details
  return {
    level,
    type,
    option,
    expected: redactLine(expected),
    ...(received === undefined ? {} : { received: redactLine(received) }),
    hint: redactLine(hint),
    message: redactLine(formatConfigWarning(details)),
    docs: `docs/errors.md#${type.toLowerCase()}`,
  }
}
