/** What is kept of a driver's error whose words or fields may hold values of rows, parameters or addresses with passwords. */

/** A driver's error without values: its name, its codes and names of columns, tables and constraints. */
export class DriverError extends Error {
  /** The driver's code, such as `23505` or `ER_DUP_ENTRY`. */
  readonly code: string | undefined
  /** Name of the constraint that was violated, where the driver tells it. */
  readonly constraint: string | undefined

  constructor(facts: { name: string; code?: string; constraint?: string; message: string }) {
    super(facts.message)
    this.name = facts.name
    this.code = facts.code
    this.constraint = facts.constraint
  }
}

/** A field of an error, when it is text. */
export function readTextField(error: unknown, field: string): string | undefined {
  const value = readField(error, field)
  return typeof value === "string" && value !== "" ? value : undefined
}

/** A field of an error. */
export function readField(error: unknown, field: string): unknown {
  return typeof error === "object" && error !== null && field in error
    ? (error as Record<string, unknown>)[field]
    : undefined
}

/** Codes by which Node.js says that a connection could not be made, or broke. */
const networkErrorCodes =
  /^(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOENT)$/

/** The code of an error of the network; drivers wrap the errors of several addresses. */
export function findNetworkCode(error: unknown): string | undefined {
  const inner = readField(error, "errors")
  const all: unknown[] = [error, ...(Array.isArray(inner) ? inner : [])]
  return all
    .map((each) => readTextField(each, "code"))
    .find((code) => code && networkErrorCodes.test(code))
}
