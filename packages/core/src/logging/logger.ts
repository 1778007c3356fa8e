/** Redacts log lines and writes them to the application's logger or to the console. */

import { getErrorDocs } from "../errors/error-docs.ts"
import { AuthError } from "../errors.ts"
import { isError } from "../objects.ts"
import { usesColors } from "../runtime/platform.ts"
import type { LoggerInstance, WarningCode } from "../types.ts"
import { formatHeadline } from "./headline.ts"
import { createRedactor, type LoggedError } from "./redactor.ts"

/** The library's log. None of the methods throws. */
export interface Logger {
  /**
   * Logs an error, or a warning if the user declined a sign-in. Logs nothing if its `cause.isRepeated` says
   * that the log has a line about it already, so that repeated attacks cannot flood the log.
   *
   * @param secretValues values of the request that must not appear
   */
  error(error: unknown, secretValues?: readonly string[]): void
  /** Returns the line that `error` logs: the problem, its innermost cause and the fix, without secrets. */
  describe(error: unknown): string
  warn(code: WarningCode, ...message: unknown[]): void
  /** Whether `debug` writes anything. Check it before you compute an expensive message. */
  readonly isDebugEnabled: boolean
  /** Writes nothing unless the option `debug` is true. */
  debug(code: string, ...message: unknown[]): void
}

/** Logs a warning unless it has been logged before. */
export type WarnOnce = (code: WarningCode, ...message: string[]) => void

const levels = {
  error: { method: "error", color: "\u001b[31m" },
  warn: { method: "warn", color: "\u001b[33m" },
  debug: { method: "log", color: "\u001b[90m" },
} as const

/** Writes one line for each error and warning. Its `debug` receives the details. */
const consoleLogger: LoggerInstance = {
  error(code, message, details) {
    const { headline = message, docs } = Object(details)
    const link = docs === undefined ? "" : `More: ${docs}`
    print("error", `[${code}]`, [headline, link])
  },
  warn(code, ...message) {
    const parts = message.map((part) => (typeof part === "string" ? part : JSON.stringify(part)))
    const link = `More: ${getErrorDocs(code)}`
    print("warn", `[${code}]`, [...parts, link])
  },
  debug: (code, ...message) => print("debug", "", [code, ...message]),
}

function print(level: keyof LoggerInstance, code: string, message: unknown[]): void {
  const { method, color } = levels[level]
  const label = `[auth][${level}]${code}`
  const title = usesColors() ? `${color}${label}\u001b[0m` : label
  const formatPart = (part: unknown) =>
    typeof part === "string" ? part : JSON.stringify(part, null, 2)
  console[method]([title, ...message.map(formatPart)].filter(Boolean).join(" "))
}

/**
 * Creates the log of a configuration. Levels that the application's logger lacks go to the console.
 *
 * @param secrets the secrets in the configuration, which must not appear
 */
export function createLogger(
  customLogger: Partial<LoggerInstance> | undefined,
  debug: boolean,
  secrets: readonly string[] = [],
): Logger {
  const hasLevel = (level: keyof LoggerInstance) => typeof customLogger?.[level] === "function"
  const write = (level: keyof LoggerInstance, line: () => [string, ...unknown[]]): void => {
    try {
      const [code, ...message] = line()
      const logger = hasLevel(level) ? customLogger : consoleLogger
      // Called as a method, because it may need its `this`. A rejection of an async logger is ignored.
      const result: unknown = (logger as LoggerInstance)[level](code, ...message)
      Promise.resolve(result).catch(() => undefined)
    } catch {
      // A failing logger must not change the response.
    }
  }
  const redactMessage = (message: readonly unknown[]) => {
    const { redactSentence, redactValue } = createRedactor(secrets)
    return message.map((part) =>
      typeof part === "string" ? redactSentence(part) : redactValue(part),
    )
  }
  return {
    error(error, secretValues) {
      if (error instanceof AuthError && error.cause?.["isRepeated"] === true) return
      const loggedError = redactError(error, [...secrets, ...(secretValues ?? [])])
      const headline = formatHeadline(loggedError)
      // A property of `OAuthCallbackError`, which a worker that reads sessions does not load.
      if (error instanceof AuthError && "isDenied" in error && error.isDenied)
        return write("warn", () => ["authorization-denied" satisfies WarningCode, headline])
      const code = error instanceof AuthError ? error.type : loggedError.name
      write("error", () => [code, loggedError.message, { headline, ...loggedError }])
      // A logger of the application has received them.
      if (debug && !hasLevel("error")) write("debug", () => [code, loggedError])
    },
    describe: (error) => formatHeadline(redactError(error, secrets)),
    warn: (code, ...message) => write("warn", () => [code, ...redactMessage(message)]),
    isDebugEnabled: debug,
    debug(code, ...message) {
      if (debug) write("debug", () => [code, ...redactMessage(message)])
    },
  }
}

function redactError(error: unknown, secretValues: readonly string[]): LoggedError {
  const redactor = createRedactor(secretValues)
  try {
    if (isError(error)) return redactor.redactError(error)
    return { name: "Error", message: String(redactor.redactValue(error)) }
  } catch {
    return { name: "Error", message: "The error could not be read." }
  }
}
