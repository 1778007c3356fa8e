/** The request for new tokens with a refresh token (RFC 6749 section 6). */
import {
  allowInsecureRequests,
  customFetch,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
} from "oauth4webapi"
import { AccessTokenError } from "../errors.ts"
import { resolveIssuer } from "../flows/oauth/id-token.ts"
import type { TokenEndpointClient } from "../flows/oauth/oauth-context.ts"
import {
  createClientAuth,
  createOAuthClient,
  readTokenResponse,
} from "../flows/oauth/token-request.ts"
import { omitUndefined } from "../objects.ts"
import type { TokenSet } from "../types.ts"
import { computeRefreshedExpiry, type RefreshedTokens } from "./refresh-once.ts"

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
export async function requestRefresh(
  tokenEndpoint: TokenEndpointClient,
  refreshToken: string,
): Promise<RefreshedTokens & TokenSet> {
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
  const tokens = await processRefreshTokenResponse(
    { ...server, issuer: resolveRefreshIssuer(tokenEndpoint, id_token) },
    client,
    sanitizedResponse,
  ).catch((error: unknown) => {
    // Its cause has the tokens, and the application may log it.
    throw new TypeError(error instanceof Error ? error.message : String(error))
  })
  // The response, without what the protocol library leaves out.
  return omitUndefined({
    ...tokens,
    ...(typeof id_token === "string" ? { id_token } : {}),
    expires_at: computeRefreshedExpiry(body?.["expires_in"]),
  }) as RefreshedTokens & TokenSet
}

/** A refresh need not return an ID token (OpenID Connect Core 12.2), which would name the tenant. */
function resolveRefreshIssuer({ provider, server }: TokenEndpointClient, idToken: unknown): string {
  return typeof idToken === "string" ? resolveIssuer(provider, server, idToken) : server.issuer
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
  const message = `The token endpoint of ${provider} returned ${[status, code].filter(Boolean).join(" ")}.`
  return new AccessTokenError(message, {
    ...omitUndefined({ provider, status, error: code, needsSignIn }),
    hint: needsSignIn
      ? "The user has to sign in with this provider again: the refresh token has expired, or was revoked or used."
      : status >= 500 || status === 429
        ? "The provider has failed: try again later."
        : "Compare the client id, secret and authentication method with the settings at the provider.",
  })
}
