/** Refreshes a provider's access token in the `jwt` callback of an application (RFC 6749 section 6). */
import { decodeJwt } from "jose"
import type { LeaseStore } from "../../adapters.ts"
import type { Account, JWT } from "../../types.ts"
import {
  type RefreshOptions,
  refreshTokensOnce,
  type TokenRotationOptions,
} from "./refresh-tokens.ts"

/** The parameters of the `jwt` callback that {@link rotateAccessToken} uses. */
export interface TokenRotationParams {
  token: JWT
  account?: Account | null | undefined
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
 * At sign-in, the account is copied into the session token, which keeps its own claims. Until `expires_at`, the token is
 * returned unchanged; after it, the tokens are refreshed. If that fails, the token is returned with
 * `error: "RefreshTokenError"`, and the next call tries again. If a refresh does not state how long the access token is
 * valid, the lifetime of the first one (`expires_in`) is assumed, or five minutes.
 *
 * @throws TypeError "Missing refresh_token" when the access token has expired and cannot be refreshed; also when
 *   neither `issuer` nor `tokenEndpoint` is set, or `leases` is not a store of leases
 */
export async function rotateAccessToken(
  { token, account }: TokenRotationParams,
  options: TokenRotationOptions,
): Promise<JWT> {
  const endpoint = getTokenEndpoint(options)
  assertLeaseStore(options.leases)
  if (account) {
    const claims = Object.entries(account).filter(([name]) => !reservedClaims.has(name))
    return { ...token, ...Object.fromEntries(claims) }
  }
  const { expires_at, refresh_token, expires_in } = token
  if (!isExpired(expires_at)) return token
  if (typeof refresh_token !== "string" || !refresh_token)
    throw new TypeError("Missing refresh_token")
  const onError = (error: unknown): void => {
    try {
      options.onError?.(error)
    } catch {
      // A failing `onError` must not end the session.
    }
  }
  return refreshJwtTokens(token, { ...options, endpoint, onError, defaultLifetime: expires_in })
}

/** How often in a row the tokens that another request or process shared may have expired already. */
const maxExpiredResults = 5

async function refreshJwtTokens(oldToken: JWT, options: RefreshOptions): Promise<JWT> {
  let token = oldToken
  try {
    for (let expiredResults = 0; ; expiredResults++) {
      const refreshToken = String(token["refresh_token"])
      const refreshed = await refreshTokensOnce(refreshToken, options)
      assertSameSubject(refreshed.id_token, token["id_token"], options.issuer)
      const { error: _, ...rest } = token
      token = { ...rest, ...refreshed }
      const isLast = token["refresh_token"] === refreshToken || expiredResults === maxExpiredResults
      if (isLast || !isExpired(refreshed.expires_at)) return token
    }
  } catch (error) {
    options.onError?.(error)
    return { ...token, error: "RefreshTokenError" }
  }
}

function isExpired(expiresAt: unknown): boolean {
  return typeof expiresAt === "number" && Date.now() >= expiresAt * 1000
}

function getTokenEndpoint({ issuer, tokenEndpoint }: TokenRotationOptions): string {
  if (tokenEndpoint) return tokenEndpoint
  if (issuer) return `${issuer.replace(/\/$/, "")}/oauth2/token`
  throw new TypeError("`rotateAccessToken` needs `issuer` or `tokenEndpoint`")
}

/** Adapters without leases would let every process refresh. */
function assertLeaseStore(leases: LeaseStore | undefined): void {
  for (const method of ["acquireLease", "completeLease", "releaseLease"] as const) {
    if (leases === undefined || typeof leases[method] === "function") continue
    throw new TypeError(
      `\`leases\` of \`rotateAccessToken\` has no \`${method}\`: set it to an adapter that has leases, such as \`SqlAdapter\``,
    )
  }
}

/** OpenID Connect Core 12.2: a new ID token has the issuer and the subject of the old one. */
function assertSameSubject(
  newIdToken: string | undefined,
  oldIdToken: unknown,
  issuer: string | undefined,
): void {
  if (newIdToken === undefined) return
  const { iss, sub } = decodeJwt(newIdToken)
  const old = typeof oldIdToken === "string" ? decodeJwt(oldIdToken) : undefined
  const expected = old?.iss ?? issuer ?? iss
  const withoutSlash = (text: unknown) => String(text).replace(/\/$/, "")
  if (withoutSlash(iss) !== withoutSlash(expected)) {
    const received = JSON.stringify(iss)
    throw new TypeError(`The new ID token has another issuer than ${expected}: ${received}`)
  }
  if (old && sub !== old.sub) {
    throw new TypeError("The new ID token has another subject than the old one")
  }
}
