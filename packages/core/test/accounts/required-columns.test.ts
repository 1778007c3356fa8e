import { getRedirectError } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { ada, createLinkingApp } from "../support/linking-app.ts"

/** Signs in for the first time with a database that refuses the user. */
async function signInRefused(error: unknown, claims: object) {
  const app = await createLinkingApp()
  const adapter = { ...app.adapter, createUser: () => Promise.reject(error) }
  delete (adapter as Partial<typeof adapter>).createUserWithAccount
  const strict = await createLinkingApp({ adapter })
  strict.work.setUser({ ...ada, ...claims })
  const response = await strict.openBrowser().signIn(strict.work)
  expect(getRedirectError(response)).toBe("Configuration")
  const { searchParams } = new URL(response.headers.get("location") ?? "", "https://app.example")
  return { reason: searchParams.get("reason"), log: strict.log.toText() }
}

const withCause = (message: string, cause: Error) => new Error(message, { cause })

describe("a column that requires what the user does not have is named, with the change", () => {
  test.each([
    [
      "email",
      new Error('null value in column "email" of relation "users" violates not-null constraint'),
    ],
    ["email", new Error("NOT NULL constraint failed: User.email")],
    ["email", new Error("Column 'email' cannot be null")],
    ["email", new Error("Field 'email' doesn't have a default value")],
    [
      "email",
      new Error("Invalid `prisma.user.create()` invocation:\n\nArgument `email` is missing."),
    ],
    ["email", new Error("Argument `email` must not be null.")],
    ["email", new Error("Null constraint violation on the fields: (`email`)")],
    ["email", new Error("notNull Violation: user.email cannot be null")],
    ["email", new Error("Value for User.email is required, 'undefined' found")],
    ["email", new Error("Cannot insert the value NULL into column 'email', table 'users'")],
    ["email", new Error('ORA-01400: cannot insert NULL into ("APP"."USERS"."EMAIL")')],
    [
      "email",
      withCause("Failed query: insert into …", new Error("NOT NULL constraint failed: user.email")),
    ],
    ["name", new Error("NOT NULL constraint failed: User.name")],
    [
      "image",
      new Error('null value in column "image" of relation "users" violates not-null constraint'),
    ],
  ])("%s: %s", async (column, error) => {
    const claims = { email: undefined, name: undefined, preferred_username: undefined }
    const { reason, log } = await signInRefused(error, claims)
    expect(reason).toBeNull()
    expect(log).toContain(`store a user without \`${column}\``)
    expect(log).toContain(`Allow null in the column \`${column}\``)
    expect(log).toContain(error.message.slice(0, 20).replaceAll('"', '\\"').split("\n")[0])
  })

  test.each([
    ["a column that has its value", new Error("NOT NULL constraint failed: User.email"), {}],
    [
      "a column of the application",
      new Error("NOT NULL constraint failed: User.tenant"),
      { email: undefined },
    ],
    [
      "an outage",
      withCause(
        'Failed query: insert into "user" ("email") values (null)',
        new Error("connect ECONNREFUSED"),
      ),
      { email: undefined },
    ],
    [
      "another constraint",
      new Error('duplicate key value violates unique constraint "users_email_key"'),
      { email: undefined },
    ],
  ])("but not %s", async (_, error, claims) => {
    const { reason, log } = await signInRefused(error, claims)
    expect(reason).toBe("unavailable")
    expect(log).not.toContain("Allow null")
  })
})
