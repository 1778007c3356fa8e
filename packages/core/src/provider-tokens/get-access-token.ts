/** Returns an access token of a provider, refreshed if it has to be. */
import type { Services } from "../actions/action-context.ts"
import type { LeaseStore } from "../adapters.ts"
import { findOAuthProvider } from "../config/resolve-providers.ts"
import { AccessTokenError, InvalidProvider, MissingAdapter } from "../errors.ts"
import { SessionContext } from "../http/session-context.ts"
import type {
  AccessToken,
  AccessTokenOptions,
  AccessTokenResult,
  AccessTokenSource,
} from "../latchkey-auth.ts"
import type { ResolvedOAuthProvider } from "../providers/resolved-provider.ts"
import type { Cookie } from "../types.ts"
import { findAccountTokens } from "./account-tokens.ts"
import { createMissingTokensError, getFreshTokens } from "./fresh-tokens.ts"
import type { StoredTokens } from "./stored-tokens.ts"

/**
 * How long an access token has to be valid, in seconds: longer than a request to the provider's API and the difference
 * between the clocks.
 */
const defaultRefreshBefore = 60

/** Returns an access token: see `token` of `LatchkeyAuth`. */
export async function getAccessToken(
  services: Services,
  providerId: string,
  source: AccessTokenSource,
  options: AccessTokenOptions = {},
): Promise<AccessTokenResult> {
  const { config, store, getMetadata, logger } = services
  const provider = requireOAuthProvider(services, providerId)
  if (!store) throw new MissingAdapter({ expected: "an adapter, which stores the tokens" })
  const { userId, cookies } = await resolveUser(services, source, provider.id)
  const { refreshBefore = defaultRefreshBefore, providerAccountId } = options
  const account = await findAccountTokens(userId, provider, providerAccountId, {
    ...services,
    store,
  })
  const leases = hasLeases(config.adapter) ? config.adapter : undefined
  const context = { provider, getMetadata, leases, logger }
  if (!account.tokens?.access_token) throw createMissingTokensError(provider.id)
  const tokens = await getFreshTokens(account.tokens, refreshBefore, account.store, context)
  return { ...toAccessToken(tokens, provider), cookies }
}

function requireOAuthProvider({ config }: Services, providerId: string): ResolvedOAuthProvider {
  const provider = findOAuthProvider(config, providerId)
  if (provider) return provider
  throw new InvalidProvider({
    expected: "the id of a configured OAuth 2 or OpenID Connect provider",
    received: JSON.stringify(providerId),
  })
}

/** Returns the id of the user, and the cookies that finding the user set. */
async function resolveUser(
  { sessions, config }: Services,
  source: AccessTokenSource,
  provider: string,
): Promise<{ readonly userId: string; readonly cookies: readonly Cookie[] }> {
  if (typeof source === "string") return { userId: source, cookies: [] }
  const context = new SessionContext(source.headers, new URL(source.url), config)
  const read = await sessions.revalidateSession(context)
  if (read.kind === "unavailable") throw read.error
  if (read.kind === "valid") return { userId: String(read.userId), cookies: context.jar.list }
  throw new AccessTokenError({
    provider,
    expected: "a signed-in user",
    received: "a request without a valid session",
    hint: "Sign the user in first, or pass the id of a user.",
    needsSignIn: true,
  })
}

function hasLeases(adapter: Partial<LeaseStore> | undefined): adapter is LeaseStore {
  const { acquireLease, completeLease, releaseLease } = adapter ?? {}
  return [acquireLease, completeLease, releaseLease].every((method) => typeof method === "function")
}

function toAccessToken(tokens: StoredTokens, provider: ResolvedOAuthProvider): AccessToken {
  const { access_token, expires_at, scope, token_type, id_token, providerAccountId } = tokens
  if (!access_token) throw createMissingTokensError(provider.id)
  return {
    accessToken: access_token,
    expiresAt: expires_at,
    scope,
    tokenType: token_type?.toLowerCase(),
    idToken: id_token,
    providerAccountId,
  }
}
