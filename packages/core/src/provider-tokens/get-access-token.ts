/** Returns an access token of a provider, refreshed if it has to be. */
import { reportSecurityEvent } from "../config/report-security-event.ts"
import { findOAuthProvider } from "../config/resolve-providers.ts"
import { AccessTokenError, InvalidProvider, MissingAdapter } from "../errors.ts"
import { SessionContext } from "../http/session-context.ts"
import type { AccessTokenOptions, AccessTokenResult, AccessTokenUser } from "../latchkey-auth.ts"
import { readProviderTokens } from "../sessions/jwt/provider-tokens.ts"
import type { JWT } from "../types.ts"
import { createMissingTokensError, getFreshTokens } from "./fresh-tokens.ts"
import { findNewestTokens } from "./refresh-once.ts"
import {
  type AccessTokenCall,
  findAccountTokens,
  getRefreshName,
  type StoredTokens,
  type TokenStore,
} from "./stored-tokens.ts"

/**
 * How long an access token has to be valid, in seconds: longer than a request to the provider's API and the difference
 * between the clocks.
 */
const defaultRefreshBefore = 60

/** Returns an access token: see `getAccessToken` of `LatchkeyAuth`. */
export async function getAccessToken(
  services: Omit<AccessTokenCall, "provider" | "refreshBefore" | "canSetCookies">,
  source: AccessTokenUser,
  providerId: string,
  options: AccessTokenOptions = {},
): Promise<AccessTokenResult> {
  const { config, store } = services
  const provider = findOAuthProvider(config, providerId)
  if (!provider)
    throw new InvalidProvider({
      expected: "the id of a configured OAuth 2 or OpenID Connect provider",
      received: JSON.stringify(providerId),
    })
  const { refreshBefore = defaultRefreshBefore, providerAccountId } = options
  const canSetCookies = "userId" in source || (options.canSetCookies ?? true)
  const anonymous: AccessTokenCall = { ...services, provider, refreshBefore, canSetCookies }
  const { id, session } = await resolveUser(anonymous, source)
  const call = { ...anonymous, userId: id }
  let tokens: StoredTokens
  if (store) {
    const account = await findAccountTokens(id, providerAccountId, { ...call, store })
    tokens = await reportLoss(call, getFreshTokens(account.tokens, account.store, call))
  } else {
    if (!session?.token || !config.session.providerTokens)
      throw new MissingAdapter({
        expected: "an adapter, or the request of a user whose session keeps the tokens",
        hint: "Set `adapter`, or set `session: { providerTokens: true }` and pass a request.",
      })
    tokens = await reportLoss(call, getSessionTokens(session.context, session.token, call))
  }
  const { access_token, expires_at, scope, token_type, id_token } = tokens
  if (!access_token) throw createMissingTokensError(provider.id)
  return {
    accessToken: access_token,
    expiresAt: expires_at,
    scope,
    tokenType: token_type?.toLowerCase(),
    idToken: id_token,
    providerAccountId: tokens.providerAccountId,
    cookies: session && canSetCookies ? session.context.jar.list : [],
  }
}

/** Reports that only another sign-in can replace the tokens. */
async function reportLoss(
  call: AccessTokenCall & { readonly userId: string },
  work: Promise<StoredTokens>,
): Promise<StoredTokens> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AccessTokenError && error.needsSignIn) {
      const { userId, provider } = call
      const facts = { userId, provider: provider.id, reason: error.type }
      await reportSecurityEvent(call, "token-lost", facts)
    }
    throw error
  }
}

/** Returns the id of the user, and the session of the request. */
async function resolveUser(
  { sessions, config, provider, canSetCookies }: AccessTokenCall,
  source: AccessTokenUser,
): Promise<{ id: string; session?: { context: SessionContext; token: JWT | undefined } }> {
  if ("userId" in source) return { id: source.userId }
  const context = new SessionContext(source.headers, new URL(source.url), config)
  context.source = source
  context.canSetCookies = canSetCookies
  const read = await sessions.revalidateSession(context)
  if (read.kind === "unavailable") throw read.error
  if (read.kind === "valid")
    return { id: String(read.userId), session: { context, token: read.token } }
  throw new AccessTokenError({
    provider: provider.id,
    expected: "a signed-in user",
    received: "a request without a valid session",
    hint: "Sign the user in first, or pass the id of a user.",
    needsSignIn: true,
  })
}

/**
 * Returns the tokens in a session, refreshed if they have to be, and puts the new ones into the cookie.
 *
 * @throws AccessTokenError when there are none that can be used
 */
async function getSessionTokens(
  context: SessionContext,
  token: JWT,
  call: AccessTokenCall,
): Promise<StoredTokens> {
  const { id } = call.provider
  const all = readProviderTokens(token)
  const tokens: StoredTokens | undefined = Object.hasOwn(all, id) ? all[id] : undefined
  // The cookie is the only place, and each request has its own.
  const store: TokenStore = { read: async () => tokens, replace: async () => undefined }
  const fresh = await getFreshTokens(tokens, store, call)
  const { id_token: _, ...kept } = fresh
  if (fresh === tokens) return kept
  // Concurrent requests may have refreshed tokens, too: their cookies may have been overwritten, or be on their way.
  const newest = Object.entries(all).map(async ([id, tokens]) => {
    const provider = findOAuthProvider(call.config, id)
    if (!provider) return [id, tokens]
    const getName = (each: StoredTokens) => getRefreshName(provider, each)
    const { id_token: _, ...kept } = await findNewestTokens<StoredTokens>(tokens, getName)
    return [id, kept]
  })
  const providerTokens = { ...Object.fromEntries(await Promise.all(newest)), [id]: kept }
  await call.sessions.replaceToken?.(context, { ...token, providerTokens })
  return kept
}
