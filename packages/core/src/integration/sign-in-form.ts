import type { SignInOptions } from "../latchkey-auth.ts"

/** The prefix of fields that are parameters for the authorization request. */
const paramPrefix = "authorizationParams-"

/** The parsed fields of a sign-in form. */
export interface SignInForm {
  readonly provider: string | undefined
  readonly options: SignInOptions & { readonly fields: Readonly<Record<string, string>> }
}

/**
 * Parses the fields of a sign-in form: `providerId`, `authorizationParams-<name>`, and those of `SignInOptions`,
 * such as `redirectTo`, `email` and credentials. Files are ignored. The last field of a name wins.
 *
 * @param fields such as a `FormData` or a `URLSearchParams`
 */
export function parseSignInForm(fields: Iterable<readonly [string, unknown]>): SignInForm {
  const browserParams = new URLSearchParams()
  const allFields: Record<string, string> = {}
  for (const [name, value] of fields) {
    if (typeof value !== "string" || name === "__proto__") continue
    if (name.startsWith(paramPrefix)) browserParams.append(name.slice(paramPrefix.length), value)
    else allFields[name] = value
  }
  const { providerId, ...otherFields } = allFields
  return { provider: providerId || undefined, options: { fields: otherFields, browserParams } }
}
