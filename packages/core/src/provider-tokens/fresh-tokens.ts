/** Refreshes the tokens of an account when they expire (RFC 6749 section 6). */
import {
  allowInsecureRequests,
  customFetch,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
} from "oauth4webapi"
import { reportSecurityEvent } from "../config/report-security-event.ts"
import { getErrorMessage } from "../errors/describe-value.ts"
import { AccessTokenError } from "../errors.ts"
import { createClientAuth } from "../flows/oauth/client-auth.ts"
import { resolveIssuer } from "../flows/oauth/id-token.ts"
import type { TokenEndpointClient } from "../flows/oauth/oauth-context.ts"
import { scopeHint } from "../flows/oauth/provider-error.ts"
import {
  createOAuthClient,
  readTokenResponse,
  restoreTokens,
} from "../flows/oauth/token-request.ts"
import { createProviderFetch } from "../http/provider-fetch.ts"
import { withTimeout } from "../http/timeout.ts"
import { omitUndefined } from "../objects.ts"
import type { TokenSet } from "../types.ts"
import { awaitCompletion, retry } from "./locked-task.ts"
import {
  assertSameSubject,
  computeRefreshedExpiry,
  isExpiring,
  refreshOnce,
} from "./refresh-once.ts"
import {
  type AccessTokenCall,
  getRefreshName,
  hasGeneration,
  mergeTokens,
  type StoredTokens,
  type TokenStore,
} from "./stored-tokens.ts"

/** How long a request that still has a valid access token waits for the next one, in milliseconds. */
const maxWait = 5000

/**
 * Returns tokens whose access token is valid, for `refreshBefore` seconds if the provider issues such tokens.
 *
 * @throws AccessTokenError when there are none
 */
export async function getFreshTokens(
  stored: StoredTokens | undefined,
  store: TokenStore,
  call: AccessTokenCall,
): Promise<StoredTokens> {
  const { provider, refreshBefore, canSetCookies } = call
  if (!stored?.access_token) throw createMissingTokensError(provider.id)
  const known: StoredTokens[] = [] // those that were refreshed or requested: they are not refreshed again
  let tokens = stored
  let seconds = stored.refresh_token ? refreshBefore : 0
  while (canSetCookies && isExpiring(tokens.expires_at, seconds) && !hasGeneration(known, tokens)) {
    tokens = await refreshTokens(tokens, known, store, call)
    seconds = 0
  }
  if (!isExpiring(tokens.expires_at)) return tokens
  const [expected, hint] = !canSetCookies
    ? [
        "a response that can still set cookies, because the access token has expired",
        "Call it before the headers of the response are sent. For tokens in a database, pass `{ userId }`.",
      ]
    : tokens.access_token === stored.access_token
      ? [`an access token in the response of ${provider.id} to the refresh`, scopeHint]
      : ["an access token that outlasts its refresh", "Try again later."]
  throw new AccessTokenError({ provider: provider.id, expected, hint })
}

/** Refreshes tokens once. If that fails, returns newer ones, or the same if they are still valid. */
async function refreshTokens(
  tokens: StoredTokens,
  known: StoredTokens[],
  store: TokenStore,
  call: AccessTokenCall,
): Promise<StoredTokens> {
  const { provider, config, logger } = call
  const { id } = provider
  const { refresh_token, expires_at } = tokens
  if (!refresh_token)
    throw new AccessTokenError({
      provider: id,
      expected: `a refresh token of ${id}, because the access token has expired`,
      hint: "Request one: many providers send it only for the scope `offline_access`, or for `access_type=offline`.",
      needsSignIn: true,
    })
  const generations = [tokens, ...known] as const
  known.push(tokens)
  const onError = (error: unknown): void => logger.error(toAccessTokenError(error, id))
  try {
    const refresh = refreshOnce(config.leases, {
      name: getRefreshName(provider, tokens),
      run: async () => {
        const requested = await requestTokens(generations, refresh_token, store, call, onError)
        known.push(requested)
        return requested
      },
      getExpiry: (next) => (hasGeneration([tokens], next) ? next.expires_at : undefined),
      // The process that requested them may have been killed, or its database may have failed.
      onShared: (shared) => awaitCompletion(store.replace(generations, shared), onError),
      onError,
    })
    const isValid = !isExpiring(expires_at)
    return await (isValid ? withTimeout(maxWait, refresh, timeoutMessage) : refresh)
  } catch (error) {
    const newer = await store.read().catch(() => undefined)
    if (newer && !hasGeneration(generations, newer)) return newer
    const refreshError = toAccessTokenError(error, id)
    if (refreshError.needsSignIn || isExpiring(expires_at)) throw refreshError
    logger.error(refreshError)
    return tokens
  }
}

/** Requests new tokens for the newest generation, which is the first, and stores them if none but these are stored. */
async function requestTokens(
  generations: readonly [StoredTokens, ...StoredTokens[]],
  refreshToken: string,
  store: TokenStore,
  call: AccessTokenCall,
  onError: (error: unknown) => void,
): Promise<StoredTokens> {
  const { provider, userId = "" } = call
  const server = await call.getMetadata(provider)
  const stored = await store.read()
  if (!stored) throw createMissingTokensError(provider.id)
  // Other tokens are not the result of this refresh, so nobody may receive them as such.
  if (!hasGeneration(generations, stored)) throw new TypeError("The stored tokens were replaced")
  const fetch = createProviderFetch(provider)
  const refreshed = await requestRefresh({ provider, server, fetch }, refreshToken)
  const issuer = provider.tenantClaim === undefined ? provider.issuer : undefined
  const [tokens] = generations
  assertSameSubject(refreshed.id_token, tokens.id_token, issuer, tokens.sub)
  // The refresh cannot be repeated, so its tokens count even if they could not be stored yet.
  const storing = retry(() => store.replace(generations, refreshed))
  await awaitCompletion(storing, onError)
  await reportSecurityEvent(call, "token-refreshed", { userId, provider: provider.id })
  return mergeTokens(tokens, refreshed)
}

/** Errors after which only another sign-in helps: RFC 6749 section 5.2, OpenID Connect Core 3.1.2.6, GitHub, Slack. */
const finalErrors: ReadonlySet<unknown> = new Set([
  ...["invalid_grant", "interaction_required", "login_required", "consent_required"],
  ...["bad_refresh_token", "invalid_refresh_token", "token_revoked"],
])

/**
 * Requests new tokens.
 *
 * @throws AccessTokenError when the provider refuses, fails, or does not respond
 */
async function requestRefresh(
  tokenEndpoint: TokenEndpointClient,
  refreshToken: string,
): Promise<TokenSet> {
  const { provider, server, fetch } = tokenEndpoint
  const client = createOAuthClient(provider)
  const clientAuth = await createClientAuth(tokenEndpoint)
  const options = { [customFetch]: fetch, [allowInsecureRequests]: true } as const // `fetch` checks the transport
  const rawResponse = await refreshTokenGrantRequest(
    server,
    client,
    clientAuth,
    refreshToken,
    options,
  )
  const { status, body, sanitizedResponse } = await readTokenResponse(provider, rawResponse)
  if (!sanitizedResponse) throw createRefreshError(provider.id, status, body)
  const id_token = body?.["id_token"]
  // A refresh need not return an ID token (OpenID Connect Core 12.2), which would name the tenant.
  const issuer =
    typeof id_token === "string" ? resolveIssuer(provider, server, id_token) : server.issuer
  const tokens = await processRefreshTokenResponse(
    { ...server, issuer },
    client,
    sanitizedResponse,
  ).catch((error: unknown) => {
    // Its cause has the tokens, and the application may log it.
    throw new TypeError(getErrorMessage(error))
  })
  const expiry = { expires_at: computeRefreshedExpiry(body?.["expires_in"]) }
  return { ...restoreTokens(tokens, body), ...(body?.["access_token"] ? expiry : {}) }
}

function createRefreshError(
  provider: string,
  status: number,
  body: Record<string, unknown> | undefined,
): AccessTokenError {
  const { error } = body ?? {}
  // Other values may contain tokens (RFC 6749 section 5.2).
  const code = typeof error === "string" && /^[\w.-]{1,60}$/.test(error) ? error : undefined
  const needsSignIn = finalErrors.has(code)
  const quoted = code && `"${code}"`
  const summary = `The token endpoint of ${provider} returned ${[status, quoted].filter(Boolean).join(" ")}.`
  const hint = needsSignIn
    ? "The user has to sign in with this provider again: the refresh token has expired, or was revoked or used."
    : status >= 500 || status === 429
      ? "The provider has failed: try again later."
      : "Compare the client id, secret and `client.token_endpoint_auth_method` with the settings at the provider."
  const details = omitUndefined({ provider, status, error: code, needsSignIn })
  return new AccessTokenError({ summary, ...details, hint })
}

const timeoutMessage = `The refresh did not complete within ${maxWait / 1000} s`

/** Creates the error for an account that has no tokens. */
export function createMissingTokensError(provider: string): AccessTokenError {
  return new AccessTokenError({
    provider,
    expected: `stored tokens of ${provider}`,
    hint: `The user has to sign in with this provider. Its \`account\` function decides which tokens are stored. ${scopeHint}`,
    needsSignIn: true,
  })
}

function toAccessTokenError(cause: unknown, provider: string): AccessTokenError {
  if (cause instanceof AccessTokenError) return cause
  return new AccessTokenError({
    summary: `The access token of ${provider} could not be refreshed.`,
    provider,
    cause,
  })
}
