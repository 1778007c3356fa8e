/** The refresh of an access token (RFC 6749 section 6). */
import { createOutbound } from "../../http/outbound.ts"

/** Where and as whom tokens are refreshed. */
export interface RefreshOptions {
  readonly endpoint: string
  readonly clientId: string
  readonly clientSecret: string
  readonly fetch?: typeof fetch | undefined
  readonly allowInsecure?: boolean | undefined
}

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
  { endpoint, clientId, clientSecret, fetch, allowInsecure = false }: RefreshOptions,
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
