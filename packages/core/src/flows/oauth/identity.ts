/** From what a provider says to an identity. */
import { OAuthProfileParseError } from "../../errors.ts"
import type { EmailStanding, Identity } from "../../proof.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved.ts"
import type { Account, Profile, TokenSet, User } from "../../types.ts"

/**
 * Maps a profile to a user and an account.
 *
 * @throws OAuthProfileParseError when the provider's `profile` fails, or gives no id
 */
export async function identityOf(
  provider: ResolvedOAuthProvider,
  profile: Record<string, unknown>,
  tokens: TokenSet,
): Promise<Identity> {
  const mapped = await mappedUser(provider, profile, tokens)
  const id: unknown = mapped.id
  if ((typeof id !== "string" && typeof id !== "number") || id === "") {
    throw new OAuthProfileParseError({
      provider: provider.id,
      expected: `\`profile\` of provider ${provider.id} to return the id of the account`,
    })
  }
  const keys = { provider: provider.id, type: provider.type, providerAccountId: String(id) }
  const account: Account = { ...tokens, ...keys }
  return {
    user: { ...mapped, id: crypto.randomUUID(), ...addressOf(mapped.email) },
    account,
    profile: profile as Profile, // claims of a provider: every one is optional
    emailStanding: standingOf(profile["email_verified"]),
    stored: { ...provider.account(tokens), ...keys },
  }
}

async function mappedUser(
  provider: ResolvedOAuthProvider,
  profile: Record<string, unknown>,
  tokens: TokenSet,
): Promise<User> {
  try {
    const mapped: unknown = await provider.profile(profile, tokens)
    if (typeof mapped === "object" && mapped !== null) return mapped
    throw new TypeError("`profile` did not return an object")
  } catch (cause) {
    throw new OAuthProfileParseError("The profile could not be read.", {
      provider: provider.id,
      claims: Object.keys(profile),
      cause,
    })
  }
}

/** An address in lower case; what is none is left out. */
function addressOf(email: unknown): Pick<User, "email"> {
  const usable = typeof email === "string" && email.length <= 320 && /^[^\s@]+@[^\s@]+$/.test(email)
  return { email: usable ? email.toLowerCase() : null }
}

function standingOf(verified: unknown): EmailStanding {
  if (verified === true || verified === "true") return "proven"
  return verified === false || verified === "false" ? "denied" : "unsaid"
}
