/** Refreshes the tokens of an account when they expire. */
import { AccessTokenError } from "../errors.ts"
import { createProviderFetch } from "../http/provider-fetch.ts"
import { withTimeout } from "../http/timeout.ts"
import { awaitCompletion, retryForLong } from "./locked-task.ts"
import { assertSameSubject, isExpiring, refreshOnce } from "./refresh-once.ts"
import { requestRefresh } from "./refresh-request.ts"
import {
  getRefreshName,
  isSameGeneration,
  mergeTokens,
  type RefreshContext,
  type StoredTokens,
  type TokenStore,
} from "./stored-tokens.ts"

/** How often in a row the tokens that another request or process shared may have expired already. */
const maxExpiredResults = 5
/** How long a request that still has a valid access token waits for the next one, in milliseconds. */
const maxWait = 5000

/**
 * Returns tokens whose access token is valid, for so many seconds if the provider issues such tokens.
 *
 * @throws AccessTokenError when there are none
 */
export async function getFreshTokens(
  stored: StoredTokens,
  refreshBefore: number,
  store: TokenStore,
  context: RefreshContext,
): Promise<StoredTokens> {
  if (!context.canSetCookies) return assertUnexpired(stored, context)
  let tokens = stored
  for (
    let results = 0;
    isExpiring(tokens.expires_at, results === 0 ? refreshBefore : 0);
    results++
  ) {
    const isValid = !isExpiring(tokens.expires_at)
    if (isValid && !tokens.refresh_token) return tokens
    if (results > maxExpiredResults) break
    const next = await refreshTokens(tokens, store, context, isValid)
    if (isSameGeneration(next, tokens)) return tokens
    tokens = next
  }
  return tokens
}

/** @throws AccessTokenError for an expired access token */
function assertUnexpired(tokens: StoredTokens, { provider }: RefreshContext): StoredTokens {
  if (!isExpiring(tokens.expires_at)) return tokens
  throw new AccessTokenError({
    provider: provider.id,
    expected: "a response that can still set cookies, because the access token has expired",
    hint: "Call it before the headers of the response are sent. For tokens in a database, pass `{ userId }`.",
  })
}

/** Refreshes tokens once. If that fails, returns newer ones, or the same if they are still valid. */
async function refreshTokens(
  tokens: StoredTokens,
  store: TokenStore,
  context: RefreshContext,
  isValid: boolean,
): Promise<StoredTokens> {
  const { provider, leases, logger } = context
  const { id } = provider
  const { refresh_token } = tokens
  if (!refresh_token) throw createExpiredError(id)
  const onError = (error: unknown): void => logger.error(toAccessTokenError(error, id))
  try {
    const refresh = refreshOnce({
      name: getRefreshName(provider, tokens),
      leases,
      run: () => requestTokens(tokens, refresh_token, store, context, onError),
      // The process that requested them may have been killed before it stored them.
      onShared: (shared) => awaitCompletion(store.replace(tokens, shared), onError),
      onError,
    })
    return await (isValid ? withTimeout(maxWait, refresh, createTimeoutError) : refresh)
  } catch (error) {
    const newer = await store.read().catch(() => undefined)
    if (newer && !isSameGeneration(newer, tokens)) return newer
    const refreshError = toAccessTokenError(error, id)
    if (refreshError.needsSignIn || !isValid) throw refreshError
    logger.error(refreshError)
    return tokens
  }
}

/** Requests new tokens and stores them, unless others are stored meanwhile. */
async function requestTokens(
  tokens: StoredTokens,
  refreshToken: string,
  store: TokenStore,
  { provider, getMetadata }: RefreshContext,
  onError: (error: unknown) => void,
): Promise<StoredTokens> {
  const server = await getMetadata(provider)
  const stored = await store.read()
  if (!stored) throw createMissingTokensError(provider.id)
  if (!isSameGeneration(stored, tokens)) return stored
  const fetch = createProviderFetch(provider)
  const refreshed = await requestRefresh({ provider, server, fetch }, refreshToken)
  const issuer = provider.tenantClaim === undefined ? provider.issuer : undefined
  assertSameSubject(refreshed.id_token, tokens.id_token, issuer, tokens.sub)
  // The refresh cannot be repeated, so its tokens count even if they could not be stored yet.
  await awaitCompletion(
    retryForLong(() => store.replace(tokens, refreshed)),
    onError,
  )
  return mergeTokens(tokens, refreshed)
}

const createTimeoutError = () =>
  new TypeError(`The refresh did not complete within ${maxWait / 1000} s`)

/** Creates the error for an account that has no tokens. */
export function createMissingTokensError(provider: string): AccessTokenError {
  return new AccessTokenError({
    provider,
    expected: `stored tokens of ${provider}`,
    hint: "The user has to sign in with this provider. Its `account` function decides which tokens are stored.",
    needsSignIn: true,
  })
}

function createExpiredError(provider: string): AccessTokenError {
  return new AccessTokenError({
    provider,
    expected: `a refresh token of ${provider}, because the access token has expired`,
    hint: "Request one: many providers send it only for the scope `offline_access`, or for `access_type=offline`.",
    needsSignIn: true,
  })
}

function toAccessTokenError(cause: unknown, provider: string): AccessTokenError {
  if (cause instanceof AccessTokenError) return cause
  return new AccessTokenError(`The access token of ${provider} could not be refreshed.`, {
    provider,
    cause,
  })
}
