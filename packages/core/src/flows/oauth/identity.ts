/** From what a provider says to an identity. */
import type { AuthorizationServer } from "oauth4webapi"
import { OAuthProfileParseError } from "../../errors.ts"
import type { EmailVerification, ProvenIdentity } from "../../proven-identity.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { Account, Profile, TokenSet, User } from "../../types.ts"

/**
 * Maps a profile to a user and an account.
 *
 * @throws OAuthProfileParseError when the provider's `profile` fails, or gives no id
 */
export async function createOAuthIdentity(
  provider: ResolvedOAuthProvider,
  server: AuthorizationServer,
  profile: Record<string, unknown>,
  tokens: TokenSet,
): Promise<ProvenIdentity> {
  const { mappedUser, emailVerified } = await mapProfile(provider, profile, tokens)
  const id = parseAccountId(mappedUser.id)
  if (id === undefined) {
    throw new OAuthProfileParseError({
      provider: provider.id,
      expected: `\`profile\` of provider ${provider.id} to return the id of the account`,
    })
  }
  const accountKey = { provider: provider.id, type: provider.type, providerAccountId: id }
  const { userId: _, ...providerTokens } = tokens // whose account it is, the provider does not decide
  const account: Account = { ...providerTokens, ...accountKey }
  return {
    user: { ...mappedUser, id: crypto.randomUUID(), ...normalizeEmail(mappedUser.email) },
    account,
    profile: profile as Profile, // claims of a provider: every one is optional
    emailVerification: parseEmailVerification(emailVerified, canOmitEmailVerified(server)),
    storedAccount: { ...selectStoredTokens(provider, tokens), ...accountKey },
  }
}

/** What `account` says is stored; a token that is undefined is one that is not there. */
function selectStoredTokens(provider: ResolvedOAuthProvider, tokens: TokenSet): Partial<Account> {
  const storedEntries = Object.entries(provider.account(tokens) ?? {})
  return Object.fromEntries(storedEntries.filter(([, value]) => value !== undefined))
}

/** What a template makes of an id that is not there: one account for everybody. */
const placeholderIds: ReadonlySet<string> = new Set(
  ",undefined,null,NaN,[object Object]".split(","),
)
/** Longest id in characters (OpenID Connect Core 2, `sub`). */
const maxIdLength = 255

/** An id that is one person's alone; a number has to be one that JSON keeps exactly. */
function parseAccountId(id: unknown): string | undefined {
  const text = Number.isSafeInteger(id) ? String(id) : id
  const isUsable =
    typeof text === "string" && text.length <= maxIdLength && !placeholderIds.has(text)
  return isUsable ? text : undefined
}

async function mapProfile(
  provider: ResolvedOAuthProvider,
  profile: Record<string, unknown>,
  tokens: TokenSet,
): Promise<{ mappedUser: User; emailVerified: unknown }> {
  try {
    const mappedUser: unknown = await provider.profile(profile, tokens)
    const emailVerified = provider.emailVerified(profile)
    if (typeof mappedUser === "object" && mappedUser !== null) return { mappedUser, emailVerified }
    throw new TypeError("`profile` did not return an object")
  } catch (cause) {
    throw new OAuthProfileParseError("The profile could not be read.", {
      provider: provider.id,
      claims: Object.keys(profile),
      cause,
    })
  }
}

/** An address in lower case; what is none is left out, and so is what only looks like somebody's. */
function normalizeEmail(email: unknown): Pick<User, "email"> {
  if (typeof email !== "string" || email.length > 320 || !/^[^\s@]+@[^\s@]+$/.test(email)) {
    return { email: null }
  }
  const address = email.toLowerCase()
  // A Kelvin sign becomes a k, and full-width letters become plain ones: that would be another's address.
  const isLookAlike =
    address !== address.normalize("NFKC") ||
    countAsciiCharacters(address) !== countAsciiCharacters(email)
  return { email: isLookAlike ? null : address }
}

function countAsciiCharacters(text: string): number {
  return text.replace(/[^\p{ASCII}]/gu, "").length
}

/**
 * Whether a person can have `email_verified` left out: what is asked of the provider goes by way of the browser, and
 * may ask for single claims (OpenID Connect Core 5.5).
 */
function canOmitEmailVerified(server: AuthorizationServer): boolean {
  const { claims_parameter_supported: storedEntries, claims_supported: known } = server
  return storedEntries === true && known?.includes("email_verified") !== false
}

/** Whatever is not plainly said to be proven, is not; nobody gains by having it not said. */
function parseEmailVerification(emailVerified: unknown, canBeOmitted: boolean): EmailVerification {
  if (emailVerified === undefined || emailVerified === null)
    return canBeOmitted ? "unverified" : "unknown"
  return emailVerified === true || /^(?:true|1)$/i.test(String(emailVerified))
    ? "verified"
    : "unverified"
}
