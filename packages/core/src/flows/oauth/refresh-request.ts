/** The refresh of an access token (RFC 6749 section 6). */
import { createProviderFetch } from "../../http/provider-fetch.ts"

/** Where and as whom tokens are refreshed. */
export interface RefreshOptions {
  readonly endpoint: string
  readonly clientId: string
  readonly clientSecret: string
  readonly fetch?: typeof fetch | undefined
  readonly allowInsecure?: boolean | undefined
  /** How long access tokens last where the provider does not say so again (RFC 6749 section 5.1), in seconds. */
  readonly defaultLifetime?: number | undefined
}

/** Of an access token whose end nobody knows, in seconds: hardly one lasts shorter, and a refresh now and then is cheap. */
const fallbackLifetime = 300

/** What a provider gave for a refresh token. */
export interface RefreshedTokens {
  readonly access_token: string
  /** In seconds since 1970. */
  readonly expires_at?: number
  readonly refresh_token?: string
  readonly id_token?: string
}

/** @throws TypeError when the provider gives no access token, or cannot be asked */
export async function refreshTokens(
  refreshToken: string,
  {
    endpoint,
    clientId,
    clientSecret,
    fetch,
    allowInsecure = false,
    defaultLifetime,
  }: RefreshOptions,
): Promise<RefreshedTokens> {
  const providerFetch = createProviderFetch({ fetch, allowInsecure, signal: undefined })
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
  // The parser's own message would repeat parts of the answer, tokens included.
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok || typeof body !== "object" || body === null) {
    throw new TypeError(
      `The token endpoint ${endpoint} renewed no token: ${describeFailure(response, body)}`,
    )
  }
  return parseRefreshResponse(body as Record<string, unknown>, defaultLifetime)
}

/** Nothing of the answer but its status and the code of an error (RFC 6749 section 5.2): the rest may hold tokens. */
function describeFailure({ status }: Response, body: unknown): string {
  const { error } = (body ?? {}) as { readonly error?: unknown }
  return typeof error === "string" && /^[a-z_]{1,40}$/.test(error)
    ? `status ${status}, error "${error}"`
    : `status ${status}`
}

function parseRefreshResponse(
  body: Record<string, unknown>,
  defaultLifetime: number | undefined,
): RefreshedTokens {
  const { access_token, expires_in, refresh_token, id_token } = body
  if (typeof access_token !== "string" || !access_token) {
    throw new TypeError("The token endpoint gave no access_token")
  }
  return {
    access_token,
    expires_at:
      computeExpiresAt(expires_in) ??
      computeExpiresAt(defaultLifetime) ??
      Math.floor(nowInSeconds()) + fallbackLifetime,
    ...(typeof refresh_token === "string" && refresh_token ? { refresh_token } : {}),
    ...(typeof id_token === "string" ? { id_token } : {}),
  }
}

/** In seconds since 1970; undefined for what is no lifetime. */
function computeExpiresAt(lifetime: unknown): number | undefined {
  const end = nowInSeconds() + Number(lifetime)
  return Number(lifetime) > 0 && Number.isSafeInteger(Math.floor(end)) ? Math.floor(end) : undefined
}

const nowInSeconds = (): number => Date.now() / 1000
