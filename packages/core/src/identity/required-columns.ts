/** Explains errors of databases whose columns require what a new user does not have. */
import type { AdapterUser } from "../adapters.ts"
import { listErrors } from "../errors/classify-error.ts"
import { getErrorMessage } from "../errors/describe-value.ts"
import { AdapterError } from "../errors.ts"

const columns = ["email", "name", "image"] as const

/** Returns an error that says what to change if a column refused a missing value; otherwise the error itself. */
export function explainRequiredColumn(error: unknown, user: AdapterUser): unknown {
  const message = listErrors(error).map(getErrorMessage).join("\n")
  const column = columns.find((each) => user[each] == null && refusesNull(message, each))
  if (column === undefined) return error
  const schema = `(in a Prisma schema, with \`?\`: \`${column} String?\`)`
  const reason =
    column === "email"
      ? "The provider has not proven an address, or has none"
      : `Or return it from the provider's \`profile\``
  return new AdapterError({
    expected: `the database to store a user without \`${column}\``,
    hint: `Allow null in the column \`${column}\` of the users ${schema}. ${reason}.`,
    isTemporary: false,
    cause: error,
  })
}

/** Whether a message says so, in the words of PostgreSQL, SQLite, MySQL, SQL Server, Oracle, or a library on top of them. */
function refusesNull(message: string, column: string): boolean {
  const before =
    "null value in column|NULL into(?: column)?|NOT NULL constraint failed:|on the fields:"
  const after =
    "is missing|is required|(?:can|must|may)(?:no| no)t be null|can't be null|doesn't have a default"
  return new RegExp(`(?:${before}) \\S*\\b${column}\\b|\\b${column}["'\`]? (?:${after})`, "i").test(
    message,
  )
}
