const reasons = {
  busy: "another connection holds a lock, or keeps changing the same records",
  closed: "the connection is closed",
  cluster: "the keys belong to another node of the cluster",
  duplicate: "another record has the same unique value",
  failed: "the database rejected the operation",
  "foreign-keys-off": "the connection does not enforce foreign keys",
  full: "the database is out of memory",
  "name-taken": "a table or key of that name does not belong to Latchkey",
  "newer-database": "a later major version of Latchkey has migrated the database",
  "not-found": "there is no such record",
  "read-only": "the database does not accept changes",
  refused: "the database user lacks permission",
  "table-unfit": "a table cannot be adopted as it is",
  timeout: "the database did not respond in time",
  "too-long": "a value is longer than its column or an index of it allows",
  "unknown-user": "the user that the record belongs to does not exist",
  unmigrated: "a table or column is missing",
  unreachable: "the database cannot be reached, or closed the connection",
} as const

/** Stable code of a failed database operation. `docs/adapters.md` lists what to do about each. */
export type DatabaseErrorCode = keyof typeof reasons

/** Circumstances of a failed database operation. */
export interface DatabaseErrorFacts {
  /** Name of the adapter's method, or of another operation such as `migrate`. */
  readonly operation: string
  /** The message of the database or its driver, without values of records. */
  readonly detail?: string | undefined
  /** How to fix it. */
  readonly hint?: string | undefined
  /** The driver's error, if it holds no values of records. */
  readonly cause?: unknown
}

/** A database operation failed. Neither the message nor the cause holds values of records. */
export class DatabaseError extends Error {
  /** Stable code of the failure. */
  readonly code: DatabaseErrorCode
  /** Name of the adapter's method, or of another operation such as `migrate`. */
  readonly operation: string
  /** The message of the database or its driver, or an empty string. */
  readonly detail: string
  /** How to fix it; empty if nothing needs to be done. */
  readonly hint: string

  constructor(
    code: DatabaseErrorCode,
    { operation, detail = "", hint = "", cause }: DatabaseErrorFacts,
  ) {
    super(
      `${operation}: ${reasons[code]}${detail && ` (${detail})`}.${hint && ` ${hint}`}`,
      cause === undefined ? undefined : { cause },
    )
    this.code = code
    this.operation = operation
    this.detail = detail
    this.hint = hint
  }
}
