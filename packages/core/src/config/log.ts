/** Log lines: redacted first, then handed to the application's logger or written to the console. */
import { AuthError } from "../errors.ts"
import type { LoggerInstance, WarningCode } from "../types.ts"
import { type LoggedError, redact, redactError } from "./redact.ts"

/** How the library logs. None of the methods throws. */
export interface Log {
  /** @param known values of the request that must not appear */
  error(error: unknown, known?: readonly string[]): void
  warn(code: WarningCode, ...message: unknown[]): void
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

/** Creates the log of one configuration. Levels that the application's logger lacks are built in. */
export function createLog(custom: Partial<LoggerInstance> | undefined, debug: boolean): Log {
  const write = (level: keyof LoggerInstance, code: string, message: readonly unknown[]): void => {
    try {
      const logger = typeof custom?.[level] === "function" ? custom : builtIn
      // A method that needs its `this` keeps it. What an async logger rejects with is its own affair.
      const result: unknown = (logger as LoggerInstance)[level](code, ...message)
      if (result instanceof Promise) result.catch(() => undefined)
    } catch {
      // A log that fails must not change what is answered.
    }
  }
  return {
    error(error, known) {
      const logged = loggedError(error, known)
      write("error", codeOf(error), [logged.message, logged])
    },
    warn: (code, ...message) =>
      write(
        "warn",
        code,
        message.map((part) => redact(part)),
      ),
    debug(code, ...message) {
      if (debug)
        write(
          "debug",
          code,
          message.map((part) => redact(part)),
        )
    },
  }
}

function loggedError(error: unknown, known: readonly string[] | undefined): LoggedError {
  const secrets = (known ?? []).filter((value) => value.length >= 4)
  if (error instanceof Error) return redactError(error, secrets)
  return { name: "Error", message: String(redact(error, secrets)) }
}

function codeOf(error: unknown): string {
  if (error instanceof AuthError) return error.type
  return error instanceof Error ? error.name : "Error"
}
