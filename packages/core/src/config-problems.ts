/** What is wrong with a configuration, for tools that show it to the developer. */
import type { AuthConfig } from "./config/auth-config.ts"
import { collectConfiguredSecrets } from "./config/configured-secrets.ts"
import type { ConfigWarning } from "./config/option-check.ts"
import { createTextRedactor } from "./config/redact-text.ts"
import { resolveConfig } from "./config/resolve-config.ts"
import type { ResolvedConfig } from "./config/resolved-config.ts"
import { AuthError } from "./errors.ts"
import { findThemeWarnings } from "./pages/theme-warnings.ts"

/** Something about a configuration that its author should know. */
export interface ConfigProblem {
  /** With an error, every request is refused; a warning is only logged. */
  readonly level: "error" | "warning"
  /** Stable name: the type of the error, or the code of the warning. `docs/errors.md` has a heading for each. */
  readonly type: string
  /** Where it is written, such as `session.maxAge`, `providers[1]` or `providers.google.clientId`. */
  readonly option: string
  /** What should have been there. */
  readonly expected: string
  /** What is there instead, without secrets. */
  readonly received?: string
  /** What to change. */
  readonly hint: string
  /** All of it in one text. */
  readonly message: string
  /** Where the documentation tells more. */
  readonly docs: string
}

/**
 * Everything that is wrong with a configuration, errors first; empty when there is nothing to say. What the environment
 * gives has to be in it: see `setEnvDefaults`.
 *
 * Logs nothing, asks nobody, and never throws.
 */
export function findConfigProblems(config: AuthConfig): readonly ConfigProblem[] {
  const { redactLine } = createTextRedactor(collectConfiguredSecrets(config ?? {}))
  const { problems, ...resolved } = resolveConfig(config)
  return [
    ...problems.map((error) => createConfigProblem("error", toProblemFields(error), redactLine)),
    ...findConfigWarnings(resolved).map((warning) =>
      createConfigProblem("warning", warning, redactLine),
    ),
  ]
}

/** What is only worth a word. */
export function findConfigWarnings({
  warnings,
  theme,
}: Pick<ResolvedConfig, "warnings" | "theme">): ConfigWarning[] {
  return [...warnings, ...findThemeWarnings(theme)]
}

/** Advice as one text, in the words of an error. */
export function formatConfigWarning({ type: _, option: __, ...facts }: ProblemFields): string {
  return new AuthError(facts).message
}

type ProblemFields = Omit<ConfigWarning, "type"> & { readonly type: string }

function toProblemFields(error: AuthError): ProblemFields {
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
  facts: ProblemFields,
  redactLine: (text: string) => string,
): ConfigProblem {
  const { type, option, expected, received, hint } = facts
  return {
    level,
    type,
    option,
    expected: redactLine(expected),
    ...(received === undefined ? {} : { received: redactLine(received) }),
    hint: redactLine(hint),
    message: redactLine(formatConfigWarning(facts)),
    docs: `docs/errors.md#${type.toLowerCase()}`,
  }
}
