/**
 * Refreshes a provider's access token in the `jwt` callback of an application (RFC 6749 section 6): once per refresh
 * token, however many requests and processes need it.
 */
import type { LeaseStore } from "../adapters.ts"
import { findMissingMethods, leaseMethods } from "../config/adapter-methods.ts"
import { createProviderFetch } from "../http/provider-fetch.ts"
import { omitUndefined, parseJsonObject } from "../objects.ts"
import type { Account, JWT, TokenSet } from "../types.ts"
import {
  assertSameSubject,
  computeRefreshedExpiry,
  isExpiring,
  refreshOnce,
} from "./refresh-once.ts"

/** The parameters of the `jwt` callback that {@link rotateAccessToken} uses. */
export interface TokenRotationParams {
  /** The claims of the session token, in which the tokens are kept. */
  token: JWT
  /** The account of the sign-in, whose tokens are the first ones. */
  account?: Account | null | undefined
  /** If false, the response cannot keep new tokens, and none are requested. */
  canSetCookies?: boolean
}

/** Options of `rotateAccessToken`. */
export interface TokenRotationOptions {
  /** The id of your application at the provider. */
  clientId: string
  /** The secret of your application at the provider. */
  clientSecret: string
  /** The token endpoint is `{issuer}/oauth2/token`, unless `tokenEndpoint` is set. */
  issuer?: string
  /** The URL of the token endpoint. */
  tokenEndpoint?: string
  /** Replaces the platform's `fetch`. */
  fetch?: typeof fetch
  /**
   * Set this to an adapter with leases, such as `SqlAdapter` or `RedisAdapter`, if several processes serve the same
   * sessions. One process refreshes, and the others receive its tokens. Without it each process refreshes for itself,
   * and providers that accept a refresh token only once revoke it.
   */
  leases?: LeaseStore
  /** Receives the error when a refresh failed, or its tokens could not be shared with other processes: for your log. */
  onError?: (error: unknown) => void
  /** Accepts a plain http endpoint beyond this machine. @defaultValue false */
  allowInsecure?: boolean
}

/** Claims that identify the user and the session: members of a provider's response do not replace them. */
const reservedClaims = new Set("iss sub aud exp nbf iat jti name email picture".split(" "))

/**
 * Keeps a provider's access token fresh. Use it in the `jwt` callback:
 *
 * ```ts
 * callbacks: { jwt: (params) => rotateAccessToken(params, { issuer, clientId, clientSecret }) }
 * ```
 *
 * At sign-in, the account is copied into the session token, which keeps its own claims. Until `expires_at`, the token
 * is returned unchanged; after it, the tokens are refreshed, unless the response cannot set cookies. If that fails, the
 * token is returned with `error: "RefreshTokenError"`, and the next call tries again. If a refresh does not state how
 * long the access token is valid, the lifetime of the first one (`expires_in`) is assumed, or five minutes.
 *
 * @throws TypeError "Missing refresh_token" when the access token has expired and cannot be refreshed; also when
 *   neither `issuer` nor `tokenEndpoint` is set, or `leases` is not a store of leases
 */
export async function rotateAccessToken(
  { token, account, canSetCookies = true }: TokenRotationParams,
  options: TokenRotationOptions,
): Promise<JWT> {
  const endpoint = getTokenEndpoint(options)
  assertLeaseStore(options.leases)
  if (account) {
    const claims = Object.entries(account).filter(([name]) => !reservedClaims.has(name))
    return { ...Object.fromEntries(claims), ...token }
  }
  const { expires_at, refresh_token, expires_in } = token
  if (!isExpiring(expires_at) || !canSetCookies) return token
  if (!parseToken(refresh_token)) throw new TypeError("Missing refresh_token")
  const onError = (error: unknown): void => {
    const reported = (async () => options.onError?.(error))()
    reported.catch(() => undefined) // a failing `onError` must not end the session, or the process
  }
  return refreshJwtTokens(token, { ...options, endpoint, onError, defaultLifetime: expires_in })
}

async function refreshJwtTokens(oldToken: JWT, options: RefreshOptions): Promise<JWT> {
  const { endpoint, clientId, leases, onError } = options
  let token = oldToken
  let isLast = false
  try {
    while (!isLast && isExpiring(token["expires_at"])) {
      const refreshToken = String(token["refresh_token"])
      const refreshed = await refreshOnce(leases, {
        name: `${endpoint} ${clientId} ${refreshToken}`,
        run() {
          isLast = true
          return requestTokens(refreshToken, options)
        },
        // A refresh token that stays valid is used again once the access token has expired.
        getExpiry: ({ expires_at, refresh_token = refreshToken }) =>
          refresh_token === refreshToken ? expires_at : undefined,
        onError,
      })
      assertSameSubject(refreshed.id_token, token["id_token"], options.issuer)
      const { error: _, ...rest } = token
      token = { ...rest, ...refreshed }
      isLast ||= token["refresh_token"] === refreshToken
    }
    if (isExpiring(token["expires_at"])) throw new TypeError("The new access token has expired")
    return token
  } catch (error) {
    onError?.(error)
    return { ...token, error: "RefreshTokenError" }
  }
}

function getTokenEndpoint({ issuer, tokenEndpoint }: TokenRotationOptions): string {
  if (tokenEndpoint) return tokenEndpoint
  if (issuer) return `${issuer.replace(/\/$/, "")}/oauth2/token`
  throw new TypeError("`rotateAccessToken` needs `issuer` or `tokenEndpoint`")
}

/** Adapters without leases would let every process refresh. */
function assertLeaseStore(leases: LeaseStore | undefined): void {
  const [missing] = leases === undefined ? [] : findMissingMethods(leases, leaseMethods)
  if (missing === undefined) return
  throw new TypeError(
    `\`leases\` of \`rotateAccessToken\` has no \`${missing}\`: set it to an adapter that has leases, such as \`SqlAdapter\``,
  )
}

interface RefreshOptions extends TokenRotationOptions {
  readonly endpoint: string
  /** Lifetime of access tokens in seconds, if the response has none (RFC 6749 section 5.1). */
  readonly defaultLifetime: unknown
}

async function requestTokens(refreshToken: string, options: RefreshOptions): Promise<TokenSet> {
  const { endpoint, clientId, clientSecret, fetch, allowInsecure = false } = options
  const providerFetch = createProviderFetch({ fetch, allowInsecure })
  const response = await providerFetch(endpoint, {
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams({
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: "refresh_token",
      refresh_token: refreshToken,
    }),
  })
  const body = parseJsonObject(await response.text())
  if (!response.ok || !body) {
    const error = body?.["error"]
    // Other values may contain tokens (RFC 6749 section 5.2).
    const isErrorCode = typeof error === "string" && /^[a-z_]{1,40}$/.test(error)
    const reason = `status ${response.status}${isErrorCode ? `, error "${error}"` : ""}`
    throw new TypeError(`The token endpoint ${endpoint} did not refresh the tokens: ${reason}`)
  }
  const { expires_in, refresh_token, id_token } = body
  const access_token = parseToken(body["access_token"])
  if (!access_token) throw new TypeError("The response of the token endpoint has no access_token")
  return omitUndefined({
    access_token,
    expires_at: computeRefreshedExpiry(expires_in, options.defaultLifetime),
    refresh_token: parseToken(refresh_token),
    id_token: parseToken(id_token),
  })
}

const parseToken = (token: unknown) => (typeof token === "string" && token ? token : undefined)
