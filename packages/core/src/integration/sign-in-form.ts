/** What a form of the application says about a sign-in. */
import type { SignInInput } from "../latchkey-auth.ts"

/** How the names of the fields begin that go to the provider. */
const paramPrefix = "authorizationParams-"

/**
 * Reads the fields of a sign-in form: `providerId`, `authorizationParams-<name>`, and all others as options, such as
 * `redirectTo`, `email` and what credentials consist of. Files are no text, and are left out; of fields with one name,
 * the last one wins.
 *
 * @param fields such as a `FormData` or a `URLSearchParams`
 */
export function parseSignInForm(
  fields: Iterable<readonly [string, unknown]>,
): Pick<SignInInput, "provider" | "options" | "authorizationParams"> {
  const textFields = [...fields].filter(
    (field): field is [string, string] => typeof field[1] === "string",
  )
  const isParameter = ([name]: readonly [string, string]) => name.startsWith(paramPrefix)
  const parameters = textFields
    .filter(isParameter)
    .map(([name, value]) => [name.slice(paramPrefix.length), value])
  const { providerId, ...options } = Object.fromEntries(
    textFields.filter((field) => !isParameter(field) && field[0] !== "__proto__"),
  )
  return {
    provider: providerId || undefined,
    options,
    authorizationParams: new URLSearchParams(parameters),
  }
}
