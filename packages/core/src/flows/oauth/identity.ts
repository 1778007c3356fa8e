/** Maps the claims of a provider to an identity. */
import type { AuthorizationServer } from "oauth4webapi"
import { OAuthProfileParseError } from "../../errors.ts"
import { omitUndefined } from "../../objects.ts"
import type { EmailVerification, ProvenIdentity } from "../../proven-identity.ts"
import type { ProfileContext } from "../../providers/endpoint-types.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { Account, Profile, TokenSet, User } from "../../types.ts"
import type { ProviderClient } from "./oauth-context.ts"

/**
 * Maps a profile to a user and an account.
 *
 * @throws OAuthProfileParseError when the provider's `profile` fails, or returns no id
 */
export async function createOAuthIdentity(
  { provider, server, fetch }: ProviderClient,
  profile: Record<string, unknown>,
  tokens: TokenSet,
): Promise<ProvenIdentity> {
  const { mappedUser, emailVerified } = await mapProfile(provider, profile, tokens, { fetch })
  const id = parseAccountId(mappedUser.id)
  if (id === undefined) {
    const expected = `\`profile\` of provider ${provider.id} to return the id of the account`
    throw new OAuthProfileParseError({ provider: provider.id, expected })
  }
  const accountKey = { provider: provider.id, type: provider.type, providerAccountId: id }
  const { userId: _, ...providerTokens } = tokens // a provider does not decide whose account it is
  const account: Account = { ...providerTokens, ...accountKey }
  return {
    user: {
      ...mappedUser,
      id: crypto.randomUUID(),
      ...(mappedUser.email !== undefined && { email: normalizeEmail(mappedUser.email) }),
    },
    account,
    profile: profile as Profile, // claims of a provider: every one is optional
    emailVerification: parseEmailVerification(emailVerified, server),
    storedAccount: { ...omitUndefined((await provider.account(tokens)) ?? {}), ...accountKey },
  }
}

/** Ids that a template produces for a missing value: all users would share one account. */
const placeholderIds: readonly unknown[] = ["", "undefined", "null", "NaN", "[object Object]"]
/** Maximum length of an id in characters (OpenID Connect Core 2, `sub`). */
const maxIdLength = 255

/** Returns the id as text; undefined for a placeholder, or a number that JSON does not keep exactly. */
function parseAccountId(id: unknown): string | undefined {
  const text = Number.isSafeInteger(id) ? String(id) : id
  const isId =
    typeof text === "string" && text.length <= maxIdLength && !placeholderIds.includes(text)
  return isId ? text : undefined
}

async function mapProfile(
  provider: ResolvedOAuthProvider,
  profile: Record<string, unknown>,
  tokens: TokenSet,
  context: ProfileContext,
): Promise<{ mappedUser: User; emailVerified: unknown }> {
  try {
    const mappedUser: unknown = await provider.profile(profile, tokens, context)
    const emailVerified = await provider.emailVerified(profile)
    if (typeof mappedUser === "object" && mappedUser !== null) return { mappedUser, emailVerified }
    throw new TypeError("`profile` did not return an object")
  } catch (cause) {
    const details = { provider: provider.id, claims: Object.keys(profile) }
    throw new OAuthProfileParseError("The profile could not be read.", { ...details, cause })
  }
}

/** Returns an address in lower case; null for other values, and for addresses that only look like another one. */
function normalizeEmail(email: unknown): string | null {
  if (typeof email !== "string" || email.length > 320 || !/^[^\s@]+@[^\s@]+$/.test(email)) {
    return null
  }
  const address = email.toLowerCase()
  // `toLowerCase` turns a Kelvin sign into a k, and NFKC full-width letters into plain ones.
  const isLookAlike =
    address !== address.normalize("NFKC") || countAscii(address) !== countAscii(email)
  return isLookAlike ? null : address
}

const countAscii = (text: string) => text.replace(/[^\p{ASCII}]/gu, "").length

/** Treats an address as proven only if the provider says so. */
function parseEmailVerification(
  emailVerified: unknown,
  { claims_parameter_supported, claims_supported }: AuthorizationServer,
): EmailVerification {
  if (emailVerified === undefined || emailVerified === null) {
    // The authorization request passes through the browser and may request single claims (OIDC Core 5.5), so that
    // a user could have `email_verified` left out.
    const canBeOmitted =
      claims_parameter_supported === true && claims_supported?.includes("email_verified") !== false
    return canBeOmitted ? "unverified" : "unknown"
  }
  return emailVerified === true || /^(?:true|1)$/i.test(String(emailVerified))
    ? "verified"
    : "unverified"
}
