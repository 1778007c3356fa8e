import type { SignInFields } from "./auth-context.ts"

/** The prefix of fields that are parameters for the authorization request. */
const paramPrefix = "authorizationParams-"

/**
 * Parses the fields of a sign-in form: `providerId`, `authorizationParams-<name>`, and options, such as `redirectTo`,
 * `email` and credentials. Files are ignored. The last field of a name wins.
 *
 * @param fields such as a `FormData` or a `URLSearchParams`
 */
export function parseSignInForm(fields: Iterable<readonly [string, unknown]>): SignInFields {
  const browserParams = new URLSearchParams()
  const options: Record<string, string> = {}
  for (const [name, value] of fields) {
    if (typeof value !== "string" || name === "__proto__") continue
    if (name.startsWith(paramPrefix)) browserParams.append(name.slice(paramPrefix.length), value)
    else options[name] = value
  }
  const { providerId, ...otherOptions } = options
  return { provider: providerId || undefined, options: otherOptions, browserParams }
}
