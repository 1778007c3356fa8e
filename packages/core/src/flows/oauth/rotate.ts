/** Renewing a provider's access token, for an application's `jwt` callback (RFC 6749 section 6). */
import { decodeJwt } from "jose"
import { sha256Hex } from "../../crypto/digest.ts"
import { createOutbound } from "../../http/outbound.ts"
import type { Account, JWT } from "../../types.ts"

/** What {@link rotateAccessToken} needs to know of the provider. */
export interface RotateOptions {
  clientId: string
  clientSecret: string
  /** The token endpoint is `{issuer}/oauth2/token`, unless `tokenEndpoint` names another. */
  issuer?: string
  tokenEndpoint?: string
  /** Replaces the platform's `fetch`. */
  fetch?: typeof fetch
  /** Told why a refresh failed, for the log. */
  onError?: (error: unknown) => void
  /** Accepts a plain http endpoint beyond this machine. @defaultValue false */
  allowInsecure?: boolean
}

/** The part of a `jwt` callback's parameters that matters here. */
export interface RotateParams {
  token: JWT
  account?: Account | null | undefined
}

interface Renewed {
  readonly access_token: string
  readonly expires_at?: number
  readonly refresh_token?: string
  readonly id_token?: string
}

/** Say who is signed in, and for how long: an answer of the provider may have members of the same names. */
const ownClaims: ReadonlySet<string> = new Set(
  "iss sub aud exp nbf iat jti name email picture".split(" "),
)

/** Refreshes under way or just done, so that requests of one session do not each spend the refresh token. */
const running = new Map<string, Promise<Renewed>>()
/** How long an answer is shared after it came, in milliseconds. */
const shared = 10_000
const mostRunning = 1000

/**
 * Keeps a provider's access token fresh. Put it into the `jwt` callback:
 *
 * ```ts
 * callbacks: { jwt: (params) => rotateAccessToken(params, { issuer, clientId, clientSecret }) }
 * ```
 *
 * At sign-in the account is laid into the session token, which keeps its own claims. While `expires_at` lies ahead, the
 * token is returned unchanged; after it, the tokens are refreshed. When that fails the token is returned with
 * `error: "RefreshTokenError"`, and the next call tries again.
 *
 * @throws TypeError "Missing refresh_token" when the access token has expired and cannot be renewed; also when
 *   neither `issuer` nor `tokenEndpoint` is given
 */
export async function rotateAccessToken(
  { token, account }: RotateParams,
  options: RotateOptions,
): Promise<JWT> {
  const endpoint = endpointOf(options)
  if (account) return { ...token, ...withoutClaims(account) }
  const expiresAt = token["expires_at"]
  if (typeof expiresAt !== "number" || Date.now() < expiresAt * 1000) return token
  const refreshToken = token["refresh_token"]
  if (typeof refreshToken !== "string" || !refreshToken)
    throw new TypeError("Missing refresh_token")
  const { error: _, ...rest } = token
  try {
    const renewed = await refresh(refreshToken, endpoint, options)
    assertSamePerson(renewed.id_token, token["id_token"], options.issuer)
    return { ...rest, refresh_token: refreshToken, ...renewed }
  } catch (error) {
    options.onError?.(error)
    return { ...token, error: "RefreshTokenError" }
  }
}

function endpointOf({ issuer, tokenEndpoint }: RotateOptions): string {
  if (tokenEndpoint) return tokenEndpoint
  if (issuer) return `${issuer.replace(/\/$/, "")}/oauth2/token`
  throw new TypeError("`rotateAccessToken` needs `issuer` or `tokenEndpoint`")
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
  if (withoutSlash(claims.iss) !== withoutSlash(expected)) throw new TypeError("Another issuer")
  if (before && claims.sub !== before.sub) throw new TypeError("Another person")
}

async function refresh(
  refreshToken: string,
  endpoint: string,
  options: RotateOptions,
): Promise<Renewed> {
  const key = await sha256Hex(`${endpoint} ${options.clientId} ${refreshToken}`)
  const known = running.get(key)
  if (known) return known
  const request = requestTokens(refreshToken, endpoint, options)
  if (running.size >= mostRunning) running.delete(running.keys().next().value ?? "")
  running.set(key, request)
  request.then(
    () => forgetLater(key),
    () => running.delete(key),
  )
  return request
}

/** A request that still carries the old session cookie gets the same answer for a while. */
function forgetLater(key: string): void {
  const timer: unknown = setTimeout(() => running.delete(key), shared)
  // Where timers keep a process alive, this one does not.
  if (typeof timer === "object" && timer !== null && "unref" in timer) {
    ;(timer as { unref(): void }).unref()
  }
}

async function requestTokens(
  refreshToken: string,
  endpoint: string,
  options: RotateOptions,
): Promise<Renewed> {
  const ask = createOutbound({
    fetch: options.fetch,
    allowInsecure: options.allowInsecure === true,
    signal: undefined,
  })
  const response = await ask(endpoint, {
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams({
      client_id: options.clientId,
      client_secret: options.clientSecret,
      grant_type: "refresh_token",
      refresh_token: refreshToken,
    }),
  })
  const body: unknown = await response.json()
  if (!response.ok || typeof body !== "object" || body === null) {
    throw new TypeError("The provider did not renew the token")
  }
  return renewedOf(body as Record<string, unknown>)
}

function renewedOf(body: Record<string, unknown>): Renewed {
  const { access_token, expires_in, refresh_token, id_token } = body
  if (typeof access_token !== "string" || !access_token) throw new TypeError("No access_token")
  const expires_at = Math.floor(Date.now() / 1000 + Number(expires_in))
  return {
    access_token,
    ...(Number(expires_in) > 0 && Number.isSafeInteger(expires_at) ? { expires_at } : {}),
    ...(typeof refresh_token === "string" && refresh_token ? { refresh_token } : {}),
    ...(typeof id_token === "string" ? { id_token } : {}),
  }
}
