/** Drivers' errors whose messages or fields may hold values of rows, parameters, or addresses with passwords. */

/** A copy of a driver's error without values. It keeps the codes and the names of columns, tables and constraints. */
export class DriverError extends Error {
  /** The driver's code, such as `23505` or `ER_DUP_ENTRY`. */
  readonly code: string | undefined
  /** Name of the violated constraint, if the driver reports it. */
  readonly constraint: string | undefined

  constructor(facts: { name: string; code?: string; constraint?: string; message: string }) {
    super(facts.message)
    this.name = facts.name
    this.code = facts.code
    this.constraint = facts.constraint
  }
}

/** Returns a field of an error if it is non-empty text. */
export function readTextField(error: unknown, field: string): string | undefined {
  const value = readField(error, field)
  return typeof value === "string" && value !== "" ? value : undefined
}

/** Returns a field of an error. */
export function readField(error: unknown, field: string): unknown {
  return typeof error === "object" && error !== null && field in error
    ? (error as Record<string, unknown>)[field]
    : undefined
}

/** Codes of Node.js for connections that failed. */
const networkErrorCodes =
  /^(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOENT)$/

/** Returns the code of a network error. Drivers wrap the errors of several addresses in one. */
export function findNetworkCode(error: unknown): string | undefined {
  const inner = readField(error, "errors")
  const all: unknown[] = [error, ...(Array.isArray(inner) ? inner : [])]
  return all
    .map((each) => readTextField(each, "code"))
    .find((code) => code && networkErrorCodes.test(code))
}
