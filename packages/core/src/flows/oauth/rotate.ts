/** Renewing a provider's access token, for an application's `jwt` callback (RFC 6749 section 6). */
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
}

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
 * At sign-in the tokens of the account are laid into the session token. While `expires_at` lies ahead, the
 * token is returned unchanged; after it, the tokens are refreshed. When that fails the token is returned with
 * `error: "RefreshTokenError"`, and the next call tries again.
 *
 * @throws TypeError "Missing refresh_token" when the access token has expired and cannot be renewed
 */
export async function rotateAccessToken(
  { token, account }: RotateParams,
  options: RotateOptions,
): Promise<JWT> {
  if (account) {
    const { access_token, expires_at, refresh_token } = account
    return { ...token, access_token, expires_at, refresh_token }
  }
  const expiresAt = token["expires_at"]
  if (typeof expiresAt !== "number" || Date.now() < expiresAt * 1000) return token
  const refreshToken = token["refresh_token"]
  if (typeof refreshToken !== "string" || !refreshToken)
    throw new TypeError("Missing refresh_token")
  const { error: _, ...rest } = token
  try {
    const { refresh_token = refreshToken, ...renewed } = await refresh(refreshToken, options)
    return { ...rest, ...renewed, refresh_token }
  } catch {
    return { ...token, error: "RefreshTokenError" }
  }
}

async function refresh(refreshToken: string, options: RotateOptions): Promise<Renewed> {
  const key = await sha256Hex(`${options.clientId} ${refreshToken}`)
  const known = running.get(key)
  if (known) return known
  const request = requestTokens(refreshToken, options)
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

async function requestTokens(refreshToken: string, options: RotateOptions): Promise<Renewed> {
  const endpoint = options.tokenEndpoint ?? `${options.issuer?.replace(/\/$/, "")}/oauth2/token`
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
  const { access_token, expires_in, refresh_token } = body as Record<string, unknown>
  if (typeof access_token !== "string" || !access_token) throw new TypeError("No access_token")
  const seconds = Number(expires_in)
  return {
    access_token,
    ...(seconds > 0 ? { expires_at: Math.floor(Date.now() / 1000 + seconds) } : {}),
    ...(typeof refresh_token === "string" && refresh_token ? { refresh_token } : {}),
  }
}
