import { createHash } from "node:crypto"
import { authenticate } from "./client-auth.ts"
import { mintIdToken } from "./id-token.ts"
import { json } from "./json.ts"
import { idTokenScript } from "./misbehaviour.ts"
import { only, ProviderRefusal, required } from "./refusal.ts"
import type { Grant, ProviderState } from "./state.ts"
import { secretText } from "./state.ts"
import type { Claims, RecordedRequest } from "./types.ts"

/** Answers a token request (RFC 6749 sections 4.1.3 and 6). @throws ProviderRefusal */
export async function tokenEndpoint(
  state: ProviderState,
  request: RecordedRequest,
): Promise<Response> {
  const { headers, body, method } = request
  if (method !== "POST")
    throw new ProviderRefusal("invalid_request", "the method is not POST", { status: 405 })
  const type = headers.get("content-type") ?? ""
  if (!/^application\/x-www-form-urlencoded\b/.test(type)) {
    throw new ProviderRefusal("invalid_request", `the content type is ${type}`)
  }
  await authenticate(state, headers, body)
  const kind = required(body, "grant_type")
  if (kind === "authorization_code") return json(await redeemCode(state, body))
  if (kind === "refresh_token") return json(await refresh(state, body))
  throw new ProviderRefusal("unsupported_grant_type", kind)
}

async function redeemCode(state: ProviderState, body: URLSearchParams): Promise<Claims> {
  const code = required(body, "code")
  const grant = state.codes.get(code)
  state.codes.delete(code)
  if (!grant) throw new ProviderRefusal("invalid_grant", "the code is unknown or was used")
  if (required(body, "redirect_uri") !== grant.redirectUri) {
    throw new ProviderRefusal(
      "invalid_grant",
      "redirect_uri differs from the authorization request",
    )
  }
  if (!state.faults.ignorePkce) checkVerifier(grant, only(body, "code_verifier"))
  return { ...(await tokens(state, grant)), ...newRefreshToken(state, grant) }
}

/** RFC 7636 section 4.6; a verifier without a challenge is a downgrade (RFC 9700 section 2.1.1). */
function checkVerifier({ challenge }: Grant, verifier: string | undefined): void {
  if (challenge === undefined && verifier === undefined) return
  const proper = verifier !== undefined && /^[\w.~-]{43,128}$/.test(verifier)
  const digest = proper && createHash("sha256").update(verifier).digest("base64url")
  if (digest !== challenge) throw new ProviderRefusal("invalid_grant", "code_verifier does not fit")
}

async function refresh(state: ProviderState, body: URLSearchParams): Promise<Claims> {
  const token = required(body, "refresh_token")
  const grant = state.refreshTokenGrants.get(token)
  if (!grant) throw new ProviderRefusal("invalid_grant", "the refresh token is unknown or was used")
  const answer = await tokens(state, { ...grant, nonce: undefined })
  if (state.refreshTokens !== "rotated") return answer
  state.refreshTokenGrants.delete(token)
  return { ...answer, ...newRefreshToken(state, grant) }
}

function newRefreshToken(state: ProviderState, grant: Grant): Claims {
  if (state.refreshTokens === "none") return {}
  const token = secretText(state, "refresh-")
  state.refreshTokenGrants.set(token, grant)
  return { refresh_token: token }
}

async function tokens(state: ProviderState, grant: Grant): Promise<Claims> {
  const social = state.dialect === "social"
  const accessToken = secretText(state, "access-")
  state.accessTokens.set(accessToken, grant)
  const { faults } = state
  return {
    access_token: accessToken,
    token_type: "tokenType" in faults ? faults.tokenType : social ? "bearer" : "Bearer",
    expires_in: "expiresIn" in faults ? faults.expiresIn : 3600,
    ...(grant.scope && { scope: grant.scope }),
    ...(!social &&
      grant.scope.split(" ").includes("openid") &&
      (await idToken(state, grant, accessToken))),
  }
}

async function idToken(state: ProviderState, grant: Grant, accessToken: string): Promise<Claims> {
  const { user, nonce } = grant
  const minted = await mintIdToken(
    { ...state, user, accessToken, nonce },
    idTokenScript(state.faults),
  )
  if (typeof minted === "string" && minted !== "") state.secrets.push(minted)
  return { id_token: minted }
}
