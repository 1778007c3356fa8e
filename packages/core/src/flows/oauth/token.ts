/** The token request and its answer (RFC 6749 sections 4.1.3 and 5). */
import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  clockTolerance,
  customFetch,
  expectNoNonce,
  nopkce,
  processAuthorizationCodeResponse,
  type TokenEndpointResponse,
} from "oauth4webapi"
import { OAuthCallbackError } from "../../errors.ts"
import type { Outbound } from "../../http/outbound.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved.ts"
import type { TokenSet } from "../../types.ts"
import { clientAuthOf } from "./client-auth.ts"
import { issuerOf } from "./tenant-issuer.ts"
import type { Transaction } from "./transaction.ts"

/** Differences between clocks that are forgiven, in seconds. */
export const tolerance = 30

/** The client as the protocol library knows it. */
export function clientOf(provider: ResolvedOAuthProvider): Client {
  return { ...provider.client, client_id: provider.clientId, [clockTolerance]: tolerance }
}

/** A validated answer: the tokens, and the body that the ID token's claims are found under. */
export interface TokenAnswer {
  readonly tokens: TokenSet
  readonly validated: TokenEndpointResponse
}

/** Exchanges the code for tokens. Everything but the signature of the ID token has been checked. */
export async function exchangeCode(
  provider: ResolvedOAuthProvider,
  server: AuthorizationServer,
  callbackParameters: URLSearchParams,
  transaction: Transaction,
  ask: Outbound,
): Promise<TokenAnswer> {
  const client = clientOf(provider)
  const response = await authorizationCodeGrantRequest(
    server,
    client,
    clientAuthOf(provider),
    callbackParameters,
    transaction.redirectUri,
    transaction.verifier ?? nopkce,
    { [customFetch]: ask, [allowInsecureRequests]: true }, // `ask` checks the transport
  )
  const conforming = (await provider.token.conform?.(response.clone())) ?? response
  const answer = await readAnswer(conforming, provider)
  const isOidc = provider.type === "oidc"
  const issuing = { ...server, issuer: await issuerOf(provider, server, answer.response) }
  const validated = await processAuthorizationCodeResponse(issuing, client, answer.response, {
    ...(isOidc ? { expectedNonce: transaction.nonce ?? expectNoNonce } : {}),
    requireIdToken: isOidc,
  })
  return { tokens: tokensOf(validated, answer.opaqueIdToken), validated }
}

interface ReadAnswer {
  readonly response: Response
  readonly opaqueIdToken: string | undefined
}

/** Sets aside what the protocol library would reject a usable answer for. */
async function readAnswer(
  response: Response,
  provider: ResolvedOAuthProvider,
): Promise<ReadAnswer> {
  const { status, headers } = response
  const text = await response.text()
  const again = (body: string): Response => new Response(body, { status, headers })
  const body = parsed(text)
  if (!body || status !== 200) return { response: again(text), opaqueIdToken: undefined }
  if (body["error"] !== undefined) {
    throw new OAuthCallbackError("The provider answered the token request with an error.", {
      provider: provider.id,
      error: body["error"],
      error_description: body["error_description"],
    })
  }
  const { id_token, expires_in, ...rest } = body
  const seconds = Number(typeof expires_in === "string" ? expires_in.trim() || "x" : expires_in)
  const usable = ["number", "string"].includes(typeof expires_in) && seconds > 0
  const finite = usable && Number.isFinite(seconds) && seconds < 1e10
  const clean = { ...rest, ...(finite ? { expires_in: seconds } : {}) }
  // Without OpenID Connect nobody vouches for an ID token: it is kept, and says nothing.
  if (provider.type === "oidc") {
    return { response: again(JSON.stringify({ ...clean, id_token })), opaqueIdToken: undefined }
  }
  const opaqueIdToken = typeof id_token === "string" ? id_token : undefined
  return { response: again(JSON.stringify(clean)), opaqueIdToken }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === "object" && body !== null && !Array.isArray(body)
      ? { ...body }
      : undefined
  } catch {
    return undefined // the protocol library says what is wrong with it
  }
}

function tokensOf(validated: TokenEndpointResponse, idToken: string | undefined): TokenSet {
  const { expires_in } = validated
  const tokens = { ...validated, token_type: validated.token_type.toLowerCase() } as TokenSet
  const { expires_at, ...rest } = tokens
  return {
    ...rest,
    ...(idToken === undefined ? {} : { id_token: idToken }),
    ...expiresAt(expires_in, expires_at),
  }
}

/** In whole seconds since 1970: calculated, or as the provider says. */
function expiresAt(expiresIn: number | undefined, said: unknown): Pick<TokenSet, "expires_at"> {
  if (expiresIn) return { expires_at: Math.floor(Date.now() / 1000 + expiresIn) }
  return typeof said === "number" && Number.isSafeInteger(said) && said > 0
    ? { expires_at: said }
    : {}
}
