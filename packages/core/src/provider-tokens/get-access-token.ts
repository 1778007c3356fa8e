/** Returns an access token of a provider, refreshed if it has to be. */
import { findOAuthProvider } from "../config/resolve-providers.ts"
import { AccessTokenError, InvalidProvider, MissingAdapter } from "../errors.ts"
import { SessionContext } from "../http/session-context.ts"
import type {
  AccessToken,
  AccessTokenOptions,
  AccessTokenResult,
  AccessTokenUser,
} from "../latchkey-auth.ts"
import type { ResolvedOAuthProvider } from "../providers/resolved-provider.ts"
import type { Cookie, JWT } from "../types.ts"
import { findAccountTokens } from "./account-tokens.ts"
import { createMissingTokensError, getFreshTokens } from "./fresh-tokens.ts"
import { getSessionTokens } from "./session-tokens.ts"
import type { StoredTokens, TokenServices } from "./stored-tokens.ts"

/**
 * How long an access token has to be valid, in seconds: longer than a request to the provider's API and the difference
 * between the clocks.
 */
const defaultRefreshBefore = 60

/** Returns an access token: see `getAccessToken` of `LatchkeyAuth`. */
export async function getAccessToken(
  services: TokenServices,
  source: AccessTokenUser,
  providerId: string,
  options: AccessTokenOptions = {},
): Promise<AccessTokenResult> {
  const { config, store, getMetadata, logger } = services
  const provider = requireOAuthProvider(services, providerId)
  const { refreshBefore = defaultRefreshBefore, providerAccountId } = options
  const canSetCookies = "userId" in source || (options.canSetCookies ?? true)
  const context = { provider, getMetadata, leases: config.leases, logger, canSetCookies }
  const user = await resolveUser(services, source, canSetCookies, provider.id)
  if (store) {
    const accountServices = { ...services, store }
    const account = await findAccountTokens(
      user.id,
      provider,
      { providerAccountId, refreshBefore, canSetCookies },
      accountServices,
    )
    if (!account.tokens?.access_token) throw createMissingTokensError(provider.id)
    const tokens = await getFreshTokens(account.tokens, refreshBefore, account.store, context)
    return { ...toAccessToken(tokens, provider), cookies: listCookies(user.session?.context) }
  }
  const { session } = user
  if (!session?.token || !config.session.providerTokens) throw createMissingAdapterError()
  const request = { ...session, token: session.token, refreshBefore }
  const tokens = await getSessionTokens(request, context, services)
  return { ...toAccessToken(tokens, provider), cookies: listCookies(session.context) }
}

const listCookies = (context: SessionContext | undefined): readonly Cookie[] =>
  context?.canSetCookies ? context.jar.list : []

function createMissingAdapterError(): MissingAdapter {
  return new MissingAdapter({
    expected: "an adapter, or the request of a user whose session keeps the tokens",
    hint: "Set `adapter`, or set `session: { providerTokens: true }` and pass a request.",
  })
}

function requireOAuthProvider(
  { config }: TokenServices,
  providerId: string,
): ResolvedOAuthProvider {
  const provider = findOAuthProvider(config, providerId)
  if (provider) return provider
  throw new InvalidProvider({
    expected: "the id of a configured OAuth 2 or OpenID Connect provider",
    received: JSON.stringify(providerId),
  })
}

/** A user, and the session of the request. */
interface SourceUser {
  readonly id: string
  readonly session?: { readonly context: SessionContext; readonly token: JWT | undefined }
}

async function resolveUser(
  { sessions, config }: TokenServices,
  source: AccessTokenUser,
  canSetCookies: boolean,
  provider: string,
): Promise<SourceUser> {
  if ("userId" in source) return { id: source.userId }
  const context = new SessionContext(source.headers, new URL(source.url), config)
  context.source = source
  context.canSetCookies = canSetCookies
  const read = await sessions.revalidateSession(context)
  if (read.kind === "unavailable") throw read.error
  if (read.kind === "valid")
    return { id: String(read.userId), session: { context, token: read.token } }
  throw new AccessTokenError({
    provider,
    expected: "a signed-in user",
    received: "a request without a valid session",
    hint: "Sign the user in first, or pass the id of a user.",
    needsSignIn: true,
  })
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
