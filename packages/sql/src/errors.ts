/** What went wrong in a database, by stable names. */

/** The stable names of failures. `docs/adapters.md` tells what to do about each. */
export type SqlErrorCode =
  | "busy"
  | "closed"
  | "duplicate"
  | "failed"
  | "foreign-keys-off"
  | "missing-row"
  | "newer-database"
  | "table-exists"
  | "table-unfit"
  | "too-long"
  | "unknown-user"
  | "unmigrated"
  | "unreachable"

const errorMessages: Readonly<Record<SqlErrorCode, string>> = {
  busy: "the database is locked by another connection, or the application has a transaction open",
  closed: "the database is closed",
  duplicate: "another row has the same unique value",
  failed: "the database refused the statement",
  "foreign-keys-off":
    "foreign keys are not enforced on this connection; run PRAGMA foreign_keys = ON when opening it",
  "missing-row": "there is no such row",
  "newer-database": "the database was migrated by a newer version of @latchkey/sql",
  "table-exists":
    "a table of that name exists and is not Latchkey's; choose other names with the option `names`, or take it over with `adopt: true`",
  "table-unfit":
    "a table cannot be adopted as it is; columns of other names are named with the option `names`",
  "too-long": "a value is longer than its column or an index of it can hold",
  "unknown-user": "the user that the row belongs to does not exist",
  unmigrated:
    "a table or column is missing; call migrate(database, options) with the same options first",
  unreachable: "the database does not answer, or broke off the connection",
}

/**
 * A statement failed. The `cause` is the error of the driver, or what of it is free of values; neither it nor the message
 * holds values of rows.
 */
export class SqlError extends Error {
  /** Stable name of the failure. */
  readonly code: SqlErrorCode
  /** What was being done: the name of the adapter's method, or `migrate`. */
  readonly operation: string
  /** What the database said of it; empty when it said nothing. */
  readonly detail: string

  constructor(
    code: SqlErrorCode,
    facts: { readonly operation: string; readonly detail?: string; readonly cause?: unknown },
  ) {
    const { operation, detail = "", cause } = facts
    super(
      `${operation}: ${errorMessages[code]}${detail && ` (${detail})`}`,
      cause === undefined ? undefined : { cause },
    )
    this.name = "SqlError"
    this.code = code
    this.operation = operation
    this.detail = detail
  }
}
