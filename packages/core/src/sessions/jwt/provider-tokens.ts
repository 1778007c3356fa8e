/** The tokens of providers in a session: the claim `providerTokens`. */
import { isObject, omitUndefined } from "../../objects.ts"
import type { SignInResult } from "../../proven-identity.ts"
import type { Account, JWT, Profile } from "../../types.ts"
import type { CheckResult } from "../session-strategy.ts"

/** The tokens of one account in a session. The ID token would take too much of the cookie: its subject is enough. */
type ProviderTokens = Pick<
  Account,
  "access_token" | "refresh_token" | "expires_at" | "scope" | "token_type" | "providerAccountId"
> & { readonly sub?: string }

/** The tokens of the accounts in a session, by the id of their provider. */
export type ProviderTokensById = Readonly<Record<string, ProviderTokens>>

/** Returns the tokens in a session. */
export function readProviderTokens({ providerTokens }: JWT): ProviderTokensById {
  // Only this library writes the claim.
  return isObject(providerTokens) ? (providerTokens as ProviderTokensById) : {}
}

/** Returns the tokens of a sign-in, and those of other providers if the same user was signed in. */
export function collectProviderTokens(
  check: CheckResult,
  { user, account, profile }: SignInResult,
): ProviderTokensById {
  const token = check.kind === "valid" ? check.token : undefined
  const others = token?.sub === String(user.id) ? readProviderTokens(token) : {}
  const isOAuth = account.type === "oauth" || account.type === "oidc"
  return isOAuth ? { ...others, [account.provider]: toProviderTokens(account, profile) } : others
}

/** Returns the tokens of a sign-in, as the session keeps them. */
function toProviderTokens(account: Account, profile: Profile | undefined): ProviderTokens {
  const { access_token, refresh_token, expires_at, scope, token_type, providerAccountId } = account
  const sub = account.type === "oidc" ? (profile?.sub ?? undefined) : undefined
  const tokens = { access_token, refresh_token, expires_at, scope, token_type, sub }
  return { providerAccountId, ...omitUndefined(tokens) }
}
