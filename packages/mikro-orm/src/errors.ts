import {
  ConnectionException,
  DatabaseObjectNotFoundException,
  DeadlockException,
  ForeignKeyConstraintViolationException,
  InvalidFieldNameException,
  LockWaitTimeoutException,
  UniqueConstraintViolationException,
} from "@mikro-orm/core"

/** The stable names of failures. */
export type MikroOrmErrorCode =
  | "busy"
  | "duplicate"
  | "failed"
  | "missing-row"
  | "unknown-user"
  | "unmigrated"
  | "unreachable"

const errorMessages: Readonly<Record<MikroOrmErrorCode, string>> = {
  busy: "another transaction was in the way for too long; try again",
  duplicate: "another row has the same unique value",
  failed: "the database, or MikroORM, refused it",
  "missing-row": "there is no such row",
  "unknown-user": "the user that the row belongs to does not exist",
  unmigrated:
    "a table or column is missing; bring the schema up to date with orm.schema or a migration",
  unreachable: "the database cannot be reached",
}

/** What MikroORM throws, most special first. */
const codesByException = [
  [UniqueConstraintViolationException, "duplicate"],
  [ForeignKeyConstraintViolationException, "unknown-user"],
  [DatabaseObjectNotFoundException, "unmigrated"],
  [InvalidFieldNameException, "unmigrated"],
  [LockWaitTimeoutException, "busy"],
  [DeadlockException, "busy"],
  [ConnectionException, "unreachable"],
] as const

/**
 * Something failed in the database. MikroORM's own error is not passed on, because its message, and those of the
 * drivers, quote the values of rows; its log has them, where the application turned that on.
 */
export class MikroOrmError extends Error {
  /** Stable name of the failure. */
  readonly code: MikroOrmErrorCode
  /** The name of the adapter's method. */
  readonly operation: string
  /** The code of the driver and the names of what it is about, as far as they are known. */
  readonly detail: string

  constructor(code: MikroOrmErrorCode, facts: { operation: string; detail?: string }) {
    const { operation, detail = "" } = facts
    super(`${operation}: ${errorMessages[code]}${detail && ` (${detail})`}`)
    this.name = "MikroOrmError"
    this.code = code
    this.operation = operation
    this.detail = detail
  }
}

/** Says what an error of MikroORM means, without the values in it. */
export function toMikroOrmError(operation: string, error: unknown): unknown {
  if (error instanceof MikroOrmError) return error
  const [, code = isConnectionLost(error) ? "unreachable" : "failed"] =
    codesByException.find(([kind]) => error instanceof kind) ?? []
  return new MikroOrmError(code, { operation, detail: describeError(error) })
}

/** Codes of Node.js, of PostgreSQL (classes 08 and 57P) and of MySQL; the driver of PostgreSQL also has none. */
const connectionLostCodes =
  /^(E(CONN|PIPE|TIMEDOUT|HOST|NET|AI_)|ENOTFOUND|PROTOCOL_|POOL_CLOSED|08|57P0)/
const connectionLostMessages =
  /^(Connection terminated|Client has encountered a connection error|Can't add new command when connection is in closed state|timeout exceeded when trying to connect)/

/** MikroORM does not tell all of these from other failures. */
function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    connectionLostCodes.test(String(Reflect.get(error, "code"))) ||
    connectionLostMessages.test(error.message)
  )
}

/** Members of drivers' errors that never hold values. */
const valueFreeFields = ["code", "errcode", "table", "column", "constraint"]

function describeError(error: unknown): string {
  if (typeof error !== "object" || error === null) return ""
  const found = valueFreeFields.map((name): unknown => Reflect.get(error, name))
  const texts = found.filter((value) => typeof value === "string" || typeof value === "number")
  return texts.length === 0 ? error.constructor.name : texts.join(" ")
}
