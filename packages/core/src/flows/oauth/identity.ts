/** From what a provider says to an identity. */
import type { AuthorizationServer } from "oauth4webapi"
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
  server: AuthorizationServer,
  profile: Record<string, unknown>,
  tokens: TokenSet,
): Promise<Identity> {
  const { mapped, verified } = await readProfile(provider, profile, tokens)
  const id = accountIdOf(mapped.id)
  if (id === undefined) {
    throw new OAuthProfileParseError({
      provider: provider.id,
      expected: `\`profile\` of provider ${provider.id} to return the id of the account`,
    })
  }
  const keys = { provider: provider.id, type: provider.type, providerAccountId: id }
  const { userId: _, ...answered } = tokens // whose account it is, the provider does not decide
  const account: Account = { ...answered, ...keys }
  return {
    user: { ...mapped, id: crypto.randomUUID(), ...addressOf(mapped.email) },
    account,
    profile: profile as Profile, // claims of a provider: every one is optional
    emailStanding: standingOf(verified, hidesStanding(server)),
    stored: { ...chosenTokens(provider, tokens), ...keys },
  }
}

/** What `account` says is stored; a token that is undefined is one that is not there. */
function chosenTokens(provider: ResolvedOAuthProvider, tokens: TokenSet): Partial<Account> {
  const chosen = Object.entries(provider.account(tokens) ?? {})
  return Object.fromEntries(chosen.filter(([, value]) => value !== undefined))
}

/** What a template makes of an id that is not there: one account for everybody. */
const placeholders: ReadonlySet<string> = new Set(",undefined,null,NaN,[object Object]".split(","))
/** Longest id in characters (OpenID Connect Core 2, `sub`). */
const longestId = 255

/** An id that is one person's alone; a number has to be one that JSON keeps exactly. */
function accountIdOf(id: unknown): string | undefined {
  const text = Number.isSafeInteger(id) ? String(id) : id
  const usable = typeof text === "string" && text.length <= longestId && !placeholders.has(text)
  return usable ? text : undefined
}

async function readProfile(
  provider: ResolvedOAuthProvider,
  profile: Record<string, unknown>,
  tokens: TokenSet,
): Promise<{ mapped: User; verified: unknown }> {
  try {
    const mapped: unknown = await provider.profile(profile, tokens)
    const verified = provider.emailVerified(profile)
    if (typeof mapped === "object" && mapped !== null) return { mapped, verified }
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
function addressOf(email: unknown): Pick<User, "email"> {
  if (typeof email !== "string" || email.length > 320 || !/^[^\s@]+@[^\s@]+$/.test(email)) {
    return { email: null }
  }
  const address = email.toLowerCase()
  // A Kelvin sign becomes a k, and full-width letters become plain ones: that would be another's address.
  const folds = address !== address.normalize("NFKC") || ascii(address) !== ascii(email)
  return { email: folds ? null : address }
}

function ascii(text: string): number {
  return text.replace(/[^\p{ASCII}]/gu, "").length
}

/**
 * Whether a person can have `email_verified` left out: what is asked of the provider goes by way of the browser, and
 * may ask for single claims (OpenID Connect Core 5.5).
 */
function hidesStanding(server: AuthorizationServer): boolean {
  const { claims_parameter_supported: chosen, claims_supported: known } = server
  return chosen === true && known?.includes("email_verified") !== false
}

/** Whatever is not plainly said to be proven, is not; nobody gains by having it not said. */
function standingOf(verified: unknown, hidden: boolean): EmailStanding {
  if (verified === undefined || verified === null) return hidden ? "denied" : "unsaid"
  return verified === true || /^(?:true|1)$/i.test(String(verified)) ? "proven" : "denied"
}
