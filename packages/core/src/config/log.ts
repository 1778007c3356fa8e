/** Log lines: redacted first, then handed to the application's logger or written to the console. */
import { AuthError } from "../errors.ts"
import type { LoggerInstance, WarningCode } from "../types.ts"
import { createRedactor, type LoggedError } from "./redact.ts"

/** How the library logs. None of the methods throws. */
export interface Log {
  /** @param known values of the request that must not appear */
  error(error: unknown, known?: readonly string[]): void
  warn(code: WarningCode, ...message: unknown[]): void
  /** Whether `debug` writes anything: what is dear to tell need not be made for nothing. */
  readonly debugs: boolean
  /** Silent unless `debug` is set. */
  debug(code: string, ...message: unknown[]): void
}

const red = "\u001b[31m"
const yellow = "\u001b[33m"
const grey = "\u001b[90m"
const reset = "\u001b[0m"

const builtIn: LoggerInstance = {
  error(code, ...message) {
    console.error(`${red}[auth][error]${reset} ${code}`, ...message.map(readable))
  },
  warn(code, ...message) {
    console.warn(`${yellow}[auth][warn][${code}]${reset}`, ...message.map(readable))
  },
  debug(code, ...message) {
    console.log(`${grey}[auth][debug]${reset} ${code}`, ...message.map(readable))
  },
}

function readable(part: unknown): string {
  return typeof part === "string" ? part : JSON.stringify(part, null, 2)
}

/**
 * Creates the log of one configuration. Levels that the application's logger lacks are built in.
 *
 * @param secrets what the configuration holds that no line may have
 */
export function createLog(
  custom: Partial<LoggerInstance> | undefined,
  debug: boolean,
  secrets: readonly string[] = [],
): Log {
  const write = (level: keyof LoggerInstance, line: () => [string, ...unknown[]]): void => {
    try {
      const [code, ...message] = line()
      const logger = typeof custom?.[level] === "function" ? custom : builtIn
      // A method that needs its `this` keeps it. What an async logger rejects with is its own affair.
      const result: unknown = (logger as LoggerInstance)[level](code, ...message)
      if (result instanceof Promise) result.catch(() => undefined)
    } catch {
      // A log that fails must not change what is answered.
    }
  }
  const redacted = (message: readonly unknown[]) => {
    const redactor = createRedactor(secrets)
    return message.map((part) => redactor.value(part))
  }
  return {
    error: (error, known) =>
      write("error", () => {
        const logged = described(error, [...secrets, ...(known ?? [])])
        return [codeOf(error, logged), logged.message, logged]
      }),
    warn: (code, ...message) => write("warn", () => [code, ...redacted(message)]),
    debugs: debug,
    debug(code, ...message) {
      if (debug) write("debug", () => [code, ...redacted(message)])
    },
  }
}

function described(error: unknown, known: readonly string[]): LoggedError {
  const redactor = createRedactor(known)
  try {
    if (error instanceof Error) return redactor.error(error)
    return { name: "Error", message: String(redactor.value(error)) }
  } catch {
    return { name: "Error", message: "An error that cannot be read." }
  }
}

function codeOf(error: unknown, logged: LoggedError): string {
  return error instanceof AuthError ? error.type : logged.name
}
