import {
  DatabaseError,
  type DatabaseErrorCode,
  type DatabaseErrorFacts,
} from "@latchkey/adapter-kit"
import {
  ConnectionException,
  DatabaseObjectNotFoundException,
  DeadlockException,
  ForeignKeyConstraintViolationException,
  InvalidFieldNameException,
  LockWaitTimeoutException,
  UniqueConstraintViolationException,
} from "@mikro-orm/core"

const hints: Partial<Record<DatabaseErrorCode, string>> = {
  busy: "Try again, and keep transactions short.",
  failed: "Turn on MikroORM's option `debug` to see its error.",
  unmigrated: "Update the schema with orm.schema or a migration.",
}

/**
 * An operation failed. There is no `cause`, because MikroORM and its drivers quote values of rows in their messages.
 */
export class MikroOrmError extends DatabaseError {
  override readonly name = "MikroOrmError"

  constructor(code: DatabaseErrorCode, facts: Pick<DatabaseErrorFacts, "operation" | "detail">) {
    super(code, { hint: hints[code], ...facts })
  }
}

/** Subclasses before their base classes. */
const codesByException = [
  [UniqueConstraintViolationException, "duplicate"],
  [ForeignKeyConstraintViolationException, "unknown-user"],
  [DatabaseObjectNotFoundException, "unmigrated"],
  [InvalidFieldNameException, "unmigrated"],
  [LockWaitTimeoutException, "busy"],
  [DeadlockException, "busy"],
  [ConnectionException, "unreachable"],
] as const

/** Converts an error of MikroORM to one without values of rows. */
export function toMikroOrmError(operation: string, error: unknown): unknown {
  if (error instanceof MikroOrmError) return error
  const [, code = isConnectionLost(error) ? "unreachable" : "failed"] =
    codesByException.find(([kind]) => error instanceof kind) ?? []
  return new MikroOrmError(code, { operation, detail: describeError(error) })
}

/** Codes of Node.js, PostgreSQL (classes 08 and 57P) and MySQL. PostgreSQL's driver omits them in some errors. */
const connectionLostCodes =
  /^(E(CONN|PIPE|TIMEDOUT|HOST|NET|AI_)|ENOTFOUND|PROTOCOL_|POOL_CLOSED|08|57P0)/
const connectionLostMessages =
  /^(Connection terminated|Client has encountered a connection error|Can't add new command when connection is in closed state|timeout exceeded when trying to connect)/

/** Recognises lost connections for which MikroORM has no exception. */
function isConnectionLost(error: unknown): boolean {
  const { code, message } = Object(error)
  return connectionLostCodes.test(code) || connectionLostMessages.test(message)
}

/** Fields of drivers' errors that never hold values of rows. */
const valueFreeFields = ["code", "errcode", "table", "column", "constraint"]

function describeError(error: unknown): string {
  if (typeof error !== "object" || error === null) return ""
  const found = valueFreeFields.map((name): unknown => Reflect.get(error, name))
  const texts = found.filter((value) => typeof value === "string" || typeof value === "number")
  return texts.length === 0 ? error.constructor.name : texts.join(" ")
}
