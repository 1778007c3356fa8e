/** The refresh of an access token (RFC 6749 section 6). */
import { createOutbound } from "../../http/outbound.ts"

/** Where and as whom tokens are refreshed. */
export interface RefreshOptions {
  readonly endpoint: string
  readonly clientId: string
  readonly clientSecret: string
  readonly fetch?: typeof fetch | undefined
  readonly allowInsecure?: boolean | undefined
  /** How long access tokens last where the provider does not say so again (RFC 6749 section 5.1), in seconds. */
  readonly usualLifetime?: number | undefined
}

/** Of an access token whose end nobody knows, in seconds: hardly one lasts shorter, and a refresh now and then is cheap. */
const unknownLifetime = 300

/** What a provider gave for a refresh token. */
export interface Renewed {
  readonly access_token: string
  /** In seconds since 1970. */
  readonly expires_at?: number
  readonly refresh_token?: string
  readonly id_token?: string
}

/** @throws TypeError when the provider gives no access token, or cannot be asked */
export async function requestTokens(
  refreshToken: string,
  { endpoint, clientId, clientSecret, fetch, allowInsecure = false, usualLifetime }: RefreshOptions,
): Promise<Renewed> {
  const ask = createOutbound({ fetch, allowInsecure, signal: undefined })
  const response = await ask(endpoint, {
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams({
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: "refresh_token",
      refresh_token: refreshToken,
    }),
  })
  // The parser's own message would repeat parts of the answer, tokens included.
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok || typeof body !== "object" || body === null) {
    throw new TypeError(
      `The token endpoint ${endpoint} renewed no token: ${reasonOf(response, body)}`,
    )
  }
  return renewedOf(body as Record<string, unknown>, usualLifetime)
}

/** Nothing of the answer but its status and the code of an error (RFC 6749 section 5.2): the rest may hold tokens. */
function reasonOf({ status }: Response, body: unknown): string {
  const { error } = (body ?? {}) as { readonly error?: unknown }
  return typeof error === "string" && /^[a-z_]{1,40}$/.test(error)
    ? `status ${status}, error "${error}"`
    : `status ${status}`
}

function renewedOf(body: Record<string, unknown>, usualLifetime: number | undefined): Renewed {
  const { access_token, expires_in, refresh_token, id_token } = body
  if (typeof access_token !== "string" || !access_token) {
    throw new TypeError("The token endpoint gave no access_token")
  }
  return {
    access_token,
    expires_at: endOf(expires_in) ?? endOf(usualLifetime) ?? Math.floor(now()) + unknownLifetime,
    ...(typeof refresh_token === "string" && refresh_token ? { refresh_token } : {}),
    ...(typeof id_token === "string" ? { id_token } : {}),
  }
}

/** In seconds since 1970; undefined for what is no lifetime. */
function endOf(lifetime: unknown): number | undefined {
  const end = now() + Number(lifetime)
  return Number(lifetime) > 0 && Number.isSafeInteger(Math.floor(end)) ? Math.floor(end) : undefined
}

const now = (): number => Date.now() / 1000
