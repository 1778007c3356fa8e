/** The authentication that a sign-in asks the provider for: `max_age` and `prompt=login` (OpenID Connect Core 3.1.2.1). */
import { describeValue } from "../../errors/describe-value.ts"
import { InvalidRequest } from "../../errors.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"

/**
 * The conditions that the ID token has to meet. They travel in the sealed transaction, because browsers can change the
 * request.
 */
export interface RequestedAuthentication {
  /** How long before the sign-in began the user may have authenticated, in seconds. */
  readonly maxAge: number
  /** Whether the ID token must have `auth_time`: always, if the metadata of the provider lists it, or never. */
  readonly needsAuthTime: "always" | "if-supported" | "never"
}

type Parameters = Readonly<Record<string, string>>

/**
 * Returns what a sign-in asks for; undefined if any authentication will do.
 *
 * @param own the parameters that the application chose
 * @param sent those that the browser chose
 * @throws InvalidRequest when `max_age` is not a number of seconds
 */
export function readRequestedAuthentication(
  { id, type, authorization: { params } }: ResolvedOAuthProvider,
  own: Parameters,
  sent: Parameters,
): RequestedAuthentication | undefined {
  // Without OpenID Connect, there is no ID token.
  if (type !== "oidc") return undefined
  const { max_age, prompt = "" }: Parameters = { ...params, ...sent, ...own }
  const maxAge = prompt.split(" ").includes("login") ? 0 : Number(max_age)
  if (max_age === undefined) return maxAge === 0 ? { maxAge, needsAuthTime: "never" } : undefined
  if (!/^\d{1,10}$/.test(max_age)) {
    const expected = `\`max_age\` for ${id} to be a whole number of seconds, zero or more`
    throw new InvalidRequest(400, { expected, received: describeValue(max_age) })
  }
  // The sign-in page asks every provider to authenticate a visitor again. Some never say when they did.
  const isOptional = maxAge === 0 && params["max_age"] === undefined && own["max_age"] === undefined
  return { maxAge, needsAuthTime: isOptional ? "if-supported" : "always" }
}
