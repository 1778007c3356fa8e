/** What is wrong with a configuration, for tools that show it to the developer. */
import type { AuthConfig } from "./config/auth-config.ts"
import { createLog } from "./config/log.ts"
import { ownSecrets } from "./config/own-secrets.ts"
import { createTextRedactor } from "./config/redact-text.ts"
import { resolveConfig } from "./config/resolve.ts"
import type { ResolvedConfig } from "./config/resolved-config.ts"
import type { Advice } from "./config/rule.ts"
import { AuthError } from "./errors.ts"
import { themeAdvice } from "./pages/theme-advice.ts"

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
  readonly came?: string
  /** What to change. */
  readonly hint: string
  /** All of it in one text. */
  readonly message: string
  /** Where the documentation tells more. */
  readonly docs: string
}

const silence = (): void => {}
const silent = createLog({ error: silence, warn: silence, debug: silence }, false)

/**
 * Everything that is wrong with a configuration, errors first; empty when there is nothing to say. What the environment
 * gives has to be in it: see `setEnvDefaults`.
 *
 * Logs nothing, asks nobody, and never throws.
 */
export function configProblems(config: AuthConfig): readonly ConfigProblem[] {
  const { line } = createTextRedactor(ownSecrets(config ?? {}))
  const { problems, ...resolved } = resolveConfig(config, silent)
  return [
    ...problems.map((error) => problemOf("error", factsOf(error), line)),
    ...adviceOf(resolved).map((advice) => problemOf("warning", advice, line)),
  ]
}

/** What is only worth a word. */
export function adviceOf({ advice, theme }: Pick<ResolvedConfig, "advice" | "theme">): Advice[] {
  return [...advice, ...themeAdvice(theme)]
}

/** Advice as one text, in the words of an error. */
export function adviceText({ type: _, option: __, ...facts }: Facts): string {
  return new AuthError(facts).message
}

type Facts = Omit<Advice, "type"> & { readonly type: string }

function factsOf(error: AuthError): Facts {
  const { option, expected, came } = error.cause ?? {}
  return {
    type: error.type,
    option: String(option ?? ""),
    expected: String(expected ?? error.message),
    ...(came === undefined ? {} : { came: String(came) }),
    hint: error.hint,
  }
}

function problemOf(
  level: ConfigProblem["level"],
  facts: Facts,
  line: (text: string) => string,
): ConfigProblem {
  const { type, option, expected, came, hint } = facts
  return {
    level,
    type,
    option,
    expected: line(expected),
    ...(came === undefined ? {} : { came: line(came) }),
    hint: line(hint),
    message: line(adviceText(facts)),
    docs: `docs/errors.md#${type.toLowerCase()}`,
  }
}
