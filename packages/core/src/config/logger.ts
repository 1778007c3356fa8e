/** Log lines: redacted first, then handed to the application's logger or written to the console. */
import { AuthError } from "../errors.ts"
import type { LoggerInstance, WarningCode } from "../types.ts"
import { createRedactor, type LoggedError } from "./redactor.ts"

/** How the library logs. None of the methods throws. */
export interface Logger {
  /** @param known values of the request that must not appear */
  error(error: unknown, known?: readonly string[]): void
  warn(code: WarningCode, ...message: unknown[]): void
  /** Whether `debug` writes anything: what is dear to tell need not be made for nothing. */
  readonly isDebugEnabled: boolean
  /** Silent unless `debug` is set. */
  debug(code: string, ...message: unknown[]): void
}

const red = "\u001b[31m"
const yellow = "\u001b[33m"
const grey = "\u001b[90m"
const reset = "\u001b[0m"

const consoleLogger: LoggerInstance = {
  error(code, ...message) {
    console.error(`${red}[auth][error]${reset} ${code}`, ...message.map(formatPart))
  },
  warn(code, ...message) {
    console.warn(`${yellow}[auth][warn][${code}]${reset}`, ...message.map(formatPart))
  },
  debug(code, ...message) {
    console.log(`${grey}[auth][debug]${reset} ${code}`, ...message.map(formatPart))
  },
}

function formatPart(part: unknown): string {
  return typeof part === "string" ? part : JSON.stringify(part, null, 2)
}

/**
 * Creates the log of one configuration. Levels that the application's logger lacks are built in.
 *
 * @param secrets what the configuration holds that no line may have
 */
export function createLogger(
  customLogger: Partial<LoggerInstance> | undefined,
  debug: boolean,
  secrets: readonly string[] = [],
): Logger {
  const write = (level: keyof LoggerInstance, line: () => [string, ...unknown[]]): void => {
    try {
      const [code, ...message] = line()
      const logger = typeof customLogger?.[level] === "function" ? customLogger : consoleLogger
      // A method that needs its `this` keeps it. What an async logger rejects with is its own affair.
      const result: unknown = (logger as LoggerInstance)[level](code, ...message)
      if (result instanceof Promise) result.catch(() => undefined)
    } catch {
      // A log that fails must not change what is answered.
    }
  }
  const redactMessage = (message: readonly unknown[]) => {
    const redactor = createRedactor(secrets)
    return message.map((part) => redactor.redactValue(part))
  }
  return {
    error: (error, secretValues) =>
      write("error", () => {
        const loggedError = redactError(error, [...secrets, ...(secretValues ?? [])])
        return [getErrorCode(error, loggedError), loggedError.message, loggedError]
      }),
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
    if (error instanceof Error) return redactor.redactError(error)
    return { name: "Error", message: String(redactor.redactValue(error)) }
  } catch {
    return { name: "Error", message: "An error that cannot be read." }
  }
}

function getErrorCode(error: unknown, loggedError: LoggedError): string {
  return error instanceof AuthError ? error.type : loggedError.name
}
