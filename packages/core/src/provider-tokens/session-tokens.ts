/** Tokens in the session cookie. */
import { findOAuthProvider } from "../config/resolve-providers.ts"
import type { SessionContext } from "../http/session-context.ts"
import { type ProviderTokensById, readProviderTokens } from "../sessions/jwt/provider-tokens.ts"
import type { JWT } from "../types.ts"
import { createMissingTokensError, getFreshTokens } from "./fresh-tokens.ts"
import { findCompletedRefresh } from "./refresh-once.ts"
import {
  getRefreshName,
  isSameGeneration,
  type RefreshContext,
  type StoredTokens,
  type TokenServices,
  type TokenStore,
} from "./stored-tokens.ts"

/** What the session of a request has to do with its tokens. */
export interface CookieTokenRequest {
  readonly context: SessionContext
  /** The claims of the session. */
  readonly token: JWT
  readonly refreshBefore: number
}

/**
 * Returns the tokens in a session, refreshed if they have to be, and puts the new ones into the cookie.
 *
 * @throws AccessTokenError when there are none that can be used
 */
export async function getSessionTokens(
  { context, token, refreshBefore }: CookieTokenRequest,
  refreshContext: RefreshContext,
  services: TokenServices,
): Promise<StoredTokens> {
  const { id } = refreshContext.provider
  const all = readProviderTokens(token)
  const tokens: StoredTokens | undefined = Object.hasOwn(all, id) ? all[id] : undefined
  if (!tokens?.access_token) throw createMissingTokensError(id)
  // The cookie is the only place, and each request has its own.
  const store: TokenStore = { read: async () => tokens, replace: async () => undefined }
  const fresh = await getFreshTokens(tokens, refreshBefore, store, refreshContext)
  const { id_token: _, ...kept } = fresh
  if (isSameGeneration(fresh, tokens)) return kept
  const providerTokens = { ...(await addCompletedRefreshes(all, services)), [id]: kept }
  await services.sessions.replaceToken?.(context, { ...token, providerTokens })
  return kept
}

/**
 * Adds the tokens that other requests of the same browser have refreshed: their cookies may have been overwritten, or may
 * be on their way.
 */
async function addCompletedRefreshes(
  all: ProviderTokensById,
  { config }: TokenServices,
): Promise<ProviderTokensById> {
  const entries = Object.entries(all).map(async ([id, tokens]) => {
    const provider = findOAuthProvider(config, id)
    const refreshed = provider && (await findCompletedRefresh(getRefreshName(provider, tokens)))
    if (!refreshed) return [id, tokens] as const
    const { id_token: _, ...kept } = refreshed as StoredTokens // only refreshes of tokens have such names
    return [id, kept] as const
  })
  return Object.fromEntries(await Promise.all(entries)) as ProviderTokensById
}
