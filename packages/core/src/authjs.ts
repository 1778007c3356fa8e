/** Connects code that was written for Auth.js. Only applications that import this module load it. */
import * as errors from "./errors.ts"
import { isError, isObject } from "./objects.ts"
import type { LoggerInstance } from "./types.ts"

export { nextAuth4 } from "./sessions/jwt/next-auth-4.ts"

/** A logger of Auth.js: its `error` receives an error object. */
export interface AuthjsLogger {
  error?(error: Error): void
  warn?(code: string): void
  debug?(message: string, metadata?: unknown): void
}

/**
 * Converts a logger of Auth.js for the option `logger`. Its `error` receives an `Error` of the same class, with `name`,
 * `message`, `stack`, `type` and `cause`, from which secrets were removed. Levels that it lacks go to the console. Its
 * other members are allowed, as with Auth.js, and not used.
 */
export function fromAuthjsLogger<Logger extends AuthjsLogger>(
  logger: Logger,
): Partial<LoggerInstance> {
  const { error, warn, debug } = logger
  return {
    ...(error && {
      error: (type, message, details) => error.call(logger, createError(type, message, details)),
    }),
    ...(warn && { warn: warn.bind(logger) }),
    ...(debug && { debug: debug.bind(logger) }),
  }
}

/** Creates the error that a log line describes. */
function createError(type: string, message: unknown, details: unknown): Error {
  const { name = type, stack = "", cause, ...fields } = isObject(details) ? details : {}
  const error = new Error(String(message), cause === undefined ? {} : { cause: toCause(cause) })
  Object.assign(error, fields, { name, type, stack: `${name}: ${message}\n${stack}`.trimEnd() })
  const ErrorClass = (errors as Readonly<Record<string, unknown>>)[type]
  return typeof ErrorClass === "function" && isError(ErrorClass.prototype)
    ? Object.setPrototypeOf(error, ErrorClass.prototype)
    : error
}

/** Turns the errors in a cause from plain data into errors. */
function toCause(value: unknown): unknown {
  if (!isObject(value)) return value
  const { name, message, stack, type = name } = value
  if (typeof stack === "string") return createError(String(type), message, value)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toCause(member)]))
}
