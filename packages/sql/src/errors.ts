import {
  DatabaseError,
  type DatabaseErrorCode,
  type DatabaseErrorFacts,
} from "@latchkey/adapter-kit"

const hints: Partial<Record<DatabaseErrorCode, string>> = {
  busy: "Keep transactions short, and give the adapter a connection of its own.",
  "foreign-keys-off": "Run PRAGMA foreign_keys = ON when you open the connection.",
  "name-taken":
    "Choose other names with the option `names`, or take the table over with `adopt: true`.",
  "table-unfit": "If its columns have other names, list them in the option `names`.",
  unmigrated: "Call migrate(database, options) with the same options first.",
}

/** A statement failed. `cause` is the driver's error, or a copy of it without values of rows. */
export class SqlError extends DatabaseError {
  override readonly name = "SqlError"

  constructor(code: DatabaseErrorCode, facts: DatabaseErrorFacts) {
    super(code, { hint: hints[code], ...facts })
  }
}
