/** Renewing a provider's access token, for an application's `jwt` callback (RFC 6749 section 6). */
import { decodeJwt } from "jose"
import type { LeaseStore } from "../../adapters.ts"
import type { Account, JWT } from "../../types.ts"
import { refreshTokensOnce, type SharedRefreshOptions } from "./shared-refresh.ts"

/** What {@link rotateAccessToken} needs to know of the provider. */
export interface TokenRotationOptions {
  clientId: string
  clientSecret: string
  /** The token endpoint is `{issuer}/oauth2/token`, unless `tokenEndpoint` names another. */
  issuer?: string
  tokenEndpoint?: string
  /** Replaces the platform's `fetch`. */
  fetch?: typeof fetch
  /**
   * Where several processes answer the requests of one session, what they share: an adapter with leases, such as
   * `SqlAdapter` and `RedisAdapter`. One of them refreshes, and all others get its tokens. Without it each process
   * refreshes for itself, and providers that take a refresh token once end the session with them.
   */
  leases?: LeaseStore
  /** Told why a refresh failed, or could not be told to other processes: for the log. */
  onError?: (error: unknown) => void
  /** Accepts a plain http endpoint beyond this machine. @defaultValue false */
  allowInsecure?: boolean
}

/** The part of a `jwt` callback's parameters that matters here. */
export interface TokenRotationParams {
  token: JWT
  account?: Account | null | undefined
}

/** Say who is signed in, and for how long: an answer of the provider may have members of the same names. */
const reservedClaims: ReadonlySet<string> = new Set(
  "iss sub aud exp nbf iat jti name email picture".split(" "),
)

/**
 * Keeps a provider's access token fresh. Put it into the `jwt` callback:
 *
 * ```ts
 * callbacks: { jwt: (params) => rotateAccessToken(params, { issuer, clientId, clientSecret }) }
 * ```
 *
 * At sign-in the account is laid into the session token, which keeps its own claims. While `expires_at` lies ahead, the
 * token is returned unchanged; after it, the tokens are refreshed. When that fails the token is returned with
 * `error: "RefreshTokenError"`, and the next call tries again. Where the provider does not say again how long an access
 * token lasts, it is taken to last as long as the first one (`expires_in`), or else for five minutes.
 *
 * @throws TypeError "Missing refresh_token" when the access token has expired and cannot be renewed; also when
 *   neither `issuer` nor `tokenEndpoint` is given, or `leases` has none
 */
export async function rotateAccessToken(
  { token, account }: TokenRotationParams,
  options: TokenRotationOptions,
): Promise<JWT> {
  const endpoint = getTokenEndpoint(options)
  assertLeaseStore(options.leases)
  if (account) return { ...token, ...omitReservedClaims(account) }
  if (!isExpired(token["expires_at"])) return token
  const refreshToken = token["refresh_token"]
  if (typeof refreshToken !== "string" || !refreshToken)
    throw new TypeError("Missing refresh_token")
  const onError = (error: unknown): void => reportError(options, error)
  const defaultLifetime = Number(token["expires_in"])
  return refreshJwtTokens(token, refreshToken, { ...options, endpoint, onError, defaultLifetime })
}

/** How often the tokens that another process left may turn out to be over, and lead to others. */
const maxRefreshSteps = 5

async function refreshJwtTokens(
  token: JWT,
  refreshToken: string,
  options: SharedRefreshOptions & Pick<TokenRotationOptions, "issuer">,
  stepsLeft = maxRefreshSteps,
): Promise<JWT> {
  const { error: _, ...rest } = token
  try {
    const refreshed = await refreshTokensOnce(refreshToken, options)
    assertSameSubject(refreshed.id_token, token["id_token"], options.issuer)
    const updatedToken = { ...rest, refresh_token: refreshToken, ...refreshed }
    const { expires_at, refresh_token: next = refreshToken } = refreshed
    if (next === refreshToken || !isExpired(expires_at) || stepsLeft === 0) return updatedToken
    // Left minutes ago, for a session that has gone on since.
    return refreshJwtTokens(updatedToken, next, options, stepsLeft - 1)
  } catch (error) {
    options.onError?.(error)
    return { ...token, error: "RefreshTokenError" }
  }
}

function isExpired(expiresAt: unknown): boolean {
  return typeof expiresAt === "number" && Date.now() >= expiresAt * 1000
}

function reportError({ onError }: TokenRotationOptions, error: unknown): void {
  try {
    onError?.(error)
  } catch {
    // What tells the application must not lose it the session.
  }
}

function getTokenEndpoint({ issuer, tokenEndpoint }: TokenRotationOptions): string {
  if (tokenEndpoint) return tokenEndpoint
  if (issuer) return `${issuer.replace(/\/$/, "")}/oauth2/token`
  throw new TypeError("`rotateAccessToken` needs `issuer` or `tokenEndpoint`")
}

/** Adapters of others have no leases, and would let every process refresh. */
function assertLeaseStore(leases: LeaseStore | undefined): void {
  if (leases === undefined) return
  for (const method of ["acquireLease", "completeLease", "releaseLease"] as const) {
    if (typeof leases[method] === "function") continue
    throw new TypeError(
      `\`leases\` of \`rotateAccessToken\` has no \`${method}\`: give it an adapter that has leases, such as \`SqlAdapter\``,
    )
  }
}

function omitReservedClaims(account: Account): Partial<Account> {
  return Object.fromEntries(Object.entries(account).filter(([name]) => !reservedClaims.has(name)))
}

/** OpenID Connect Core 12.2: a new ID token is of the issuer and the person that the old one was of. */
function assertSameSubject(
  newIdToken: string | undefined,
  previousIdToken: unknown,
  issuer?: string,
): void {
  if (newIdToken === undefined) return
  const claims = decodeJwt(newIdToken)
  const previousClaims =
    typeof previousIdToken === "string" ? decodeJwt(previousIdToken) : undefined
  const expected = previousClaims?.iss ?? issuer ?? claims.iss
  const withoutSlash = (text: unknown) => String(text).replace(/\/$/, "")
  if (withoutSlash(claims.iss) !== withoutSlash(expected)) {
    throw new TypeError(
      `The new ID token is of another issuer than ${expected}: ${JSON.stringify(claims.iss)}`,
    )
  }
  if (previousClaims && claims.sub !== previousClaims.sub) {
    throw new TypeError("The new ID token is of another person than the old one")
  }
}
