/** Renewing a provider's access token, for an application's `jwt` callback (RFC 6749 section 6). */
import { decodeJwt } from "jose"
import type { LeaseStore } from "../../adapters.ts"
import type { Account, JWT } from "../../types.ts"
import { type RefreshOnceOptions, refreshOnce } from "./refresh-once.ts"

/** What {@link rotateAccessToken} needs to know of the provider. */
export interface RotateOptions {
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
export interface RotateParams {
  token: JWT
  account?: Account | null | undefined
}

/** Say who is signed in, and for how long: an answer of the provider may have members of the same names. */
const ownClaims: ReadonlySet<string> = new Set(
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
  { token, account }: RotateParams,
  options: RotateOptions,
): Promise<JWT> {
  const endpoint = endpointOf(options)
  assertLeases(options.leases)
  if (account) return { ...token, ...withoutClaims(account) }
  if (!isOver(token["expires_at"])) return token
  const refreshToken = token["refresh_token"]
  if (typeof refreshToken !== "string" || !refreshToken)
    throw new TypeError("Missing refresh_token")
  const onError = (error: unknown): void => tell(options, error)
  const usualLifetime = Number(token["expires_in"])
  return renew(token, refreshToken, { ...options, endpoint, onError, usualLifetime })
}

/** How often the tokens that another process left may turn out to be over, and lead to others. */
const mostSteps = 5

async function renew(
  token: JWT,
  refreshToken: string,
  options: RefreshOnceOptions & Pick<RotateOptions, "issuer">,
  steps = mostSteps,
): Promise<JWT> {
  const { error: _, ...rest } = token
  try {
    const renewed = await refreshOnce(refreshToken, options)
    assertSamePerson(renewed.id_token, token["id_token"], options.issuer)
    const latest = { ...rest, refresh_token: refreshToken, ...renewed }
    const { expires_at, refresh_token: next = refreshToken } = renewed
    if (next === refreshToken || !isOver(expires_at) || steps === 0) return latest
    // Left minutes ago, for a session that has gone on since.
    return renew(latest, next, options, steps - 1)
  } catch (error) {
    options.onError?.(error)
    return { ...token, error: "RefreshTokenError" }
  }
}

function isOver(expiresAt: unknown): boolean {
  return typeof expiresAt === "number" && Date.now() >= expiresAt * 1000
}

function tell({ onError }: RotateOptions, error: unknown): void {
  try {
    onError?.(error)
  } catch {
    // What tells the application must not lose it the session.
  }
}

function endpointOf({ issuer, tokenEndpoint }: RotateOptions): string {
  if (tokenEndpoint) return tokenEndpoint
  if (issuer) return `${issuer.replace(/\/$/, "")}/oauth2/token`
  throw new TypeError("`rotateAccessToken` needs `issuer` or `tokenEndpoint`")
}

/** Adapters of others have no leases, and would let every process refresh. */
function assertLeases(leases: LeaseStore | undefined): void {
  if (leases === undefined) return
  for (const method of ["acquireLease", "settleLease", "releaseLease"] as const) {
    if (typeof leases[method] === "function") continue
    throw new TypeError(
      `\`leases\` of \`rotateAccessToken\` has no \`${method}\`: give it an adapter that has leases, such as \`SqlAdapter\``,
    )
  }
}

function withoutClaims(account: Account): Partial<Account> {
  return Object.fromEntries(Object.entries(account).filter(([name]) => !ownClaims.has(name)))
}

/** OpenID Connect Core 12.2: a new ID token is of the issuer and the person that the old one was of. */
function assertSamePerson(renewed: string | undefined, known: unknown, issuer?: string): void {
  if (renewed === undefined) return
  const claims = decodeJwt(renewed)
  const before = typeof known === "string" ? decodeJwt(known) : undefined
  const expected = before?.iss ?? issuer ?? claims.iss
  const withoutSlash = (text: unknown) => String(text).replace(/\/$/, "")
  if (withoutSlash(claims.iss) !== withoutSlash(expected)) {
    throw new TypeError(
      `The new ID token is of another issuer than ${expected}: ${JSON.stringify(claims.iss)}`,
    )
  }
  if (before && claims.sub !== before.sub) {
    throw new TypeError("The new ID token is of another person than the old one")
  }
}
