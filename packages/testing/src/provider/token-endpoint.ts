import { createHash } from "node:crypto"
import { authenticateClient } from "./client-authentication.ts"
import { createIdToken } from "./id-token.ts"
import { createJsonResponse } from "./json-response.ts"
import { getSingleParameter, ProviderError, requireParameter } from "./provider-error.ts"
import { findIdTokenModifier } from "./provider-faults.ts"
import type { Grant, ProviderState } from "./provider-state.ts"
import { generateSecret } from "./provider-state.ts"
import type { Claims, RecordedRequest } from "./types.ts"

/** Handles a token request (RFC 6749 sections 4.1.3 and 6). @throws ProviderError */
export async function handleTokenRequest(
  state: ProviderState,
  request: RecordedRequest,
): Promise<Response> {
  const { headers, body, method } = request
  if (method !== "POST")
    throw new ProviderError("invalid_request", "the method is not POST", { status: 405 })
  const type = headers.get("content-type") ?? ""
  if (!/^application\/x-www-form-urlencoded\b/.test(type)) {
    throw new ProviderError("invalid_request", `the content type is ${type}`)
  }
  await authenticateClient(state, headers, body)
  const grantType = requireParameter(body, "grant_type")
  if (grantType === "authorization_code") return createJsonResponse(await redeemCode(state, body))
  if (grantType === "refresh_token") return createJsonResponse(await refreshTokens(state, body))
  throw new ProviderError("unsupported_grant_type", grantType)
}

async function redeemCode(state: ProviderState, body: URLSearchParams): Promise<Claims> {
  const code = requireParameter(body, "code")
  const grant = state.codes.get(code)
  state.codes.delete(code)
  if (!grant) throw new ProviderError("invalid_grant", "the code is unknown or was used")
  if (requireParameter(body, "redirect_uri") !== grant.redirectUri) {
    throw new ProviderError("invalid_grant", "redirect_uri differs from the authorization request")
  }
  if (!state.faults.ignorePkce) verifyCodeVerifier(grant, getSingleParameter(body, "code_verifier"))
  return { ...(await issueTokens(state, grant)), ...issueRefreshToken(state, grant) }
}

/** RFC 7636 section 4.6. A verifier without a challenge is a downgrade (RFC 9700 section 2.1.1). */
function verifyCodeVerifier({ challenge }: Grant, verifier: string | undefined): void {
  if (challenge === undefined && verifier === undefined) return
  const isWellFormed = verifier !== undefined && /^[\w.~-]{43,128}$/.test(verifier)
  const digest = isWellFormed && createHash("sha256").update(verifier).digest("base64url")
  if (digest !== challenge) throw new ProviderError("invalid_grant", "code_verifier does not match")
}

async function refreshTokens(state: ProviderState, body: URLSearchParams): Promise<Claims> {
  const token = requireParameter(body, "refresh_token")
  const grant = state.refreshTokenGrants.get(token)
  if (!grant) throw new ProviderError("invalid_grant", "the refresh token is unknown or was used")
  const tokenResponse = await issueTokens(state, { ...grant, nonce: undefined })
  if (state.refreshTokens !== "rotated") return tokenResponse
  state.refreshTokenGrants.delete(token)
  return { ...tokenResponse, ...issueRefreshToken(state, grant) }
}

function issueRefreshToken(state: ProviderState, grant: Grant): Claims {
  if (state.refreshTokens === "none") return {}
  const token = generateSecret(state, "refresh-")
  state.refreshTokenGrants.set(token, grant)
  return { refresh_token: token }
}

async function issueTokens(state: ProviderState, grant: Grant): Promise<Claims> {
  const isSocial = state.dialect === "social"
  const accessToken = generateSecret(state, "access-")
  state.accessTokens.set(accessToken, grant)
  const { faults } = state
  return {
    access_token: accessToken,
    token_type: "tokenType" in faults ? faults.tokenType : isSocial ? "bearer" : "Bearer",
    expires_in: "expiresIn" in faults ? faults.expiresIn : 3600,
    ...(grant.scope && { scope: grant.scope }),
    ...(!isSocial &&
      grant.scope.split(" ").includes("openid") &&
      (await issueIdToken(state, grant, accessToken))),
  }
}

async function issueIdToken(
  state: ProviderState,
  grant: Grant,
  accessToken: string,
): Promise<Claims> {
  const { user, nonce } = grant
  const token = await createIdToken(
    { ...state, user, accessToken, nonce },
    findIdTokenModifier(state.faults),
  )
  if (typeof token === "string" && token !== "") state.secrets.push(token)
  return { id_token: token }
}
