/** The authorization response (RFC 6749 section 4.1.2, RFC 9207) and the requests that follow it. */
import {
  AuthorizationResponseError,
  type AuthorizationServer,
  validateAuthResponse,
} from "oauth4webapi"
import { InvalidCheck, OAuthCallbackError } from "../../errors.ts"
import { createHostCookie } from "../../http/cookies.ts"
import { createProviderFetch } from "../../http/provider-fetch.ts"
import { omitUndefined, parseJsonObject } from "../../objects.ts"
import type { ProvenIdentity } from "../../proven-identity.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { FlowResult } from "../flow.ts"
import { TransactionCookies } from "../transaction-cookies.ts"
import { readAuthentication, verifyAuthTime } from "./id-token.ts"
import { type Claims, createOAuthIdentity, fetchClaims } from "./identity.ts"
import {
  findOAuthTransaction,
  getOAuthCookies,
  type OAuthContext,
  type OAuthTransaction,
} from "./oauth-context.ts"
import { createAuthorizationError, describeError } from "./provider-error.ts"
import { isProxy, recordArrival, resolveForwardUrl } from "./redirect-proxy.ts"
import {
  publicParameters,
  recordAuthorizationResponse,
  recordIssuer,
  recordRequests,
  recordTransaction,
} from "./report-steps.ts"
import { exchangeCode } from "./token-request.ts"

/** Proves an identity by the provider's authorization response. */
export async function completeOAuthFlow(context: OAuthContext): Promise<FlowResult> {
  const { request, provider } = context
  if (provider.usesFormPost && request.method === "POST")
    return redirectTo(await saveFormResponse(context), 303)
  const parameters = readErrorCode(await getResponseParameters(context))
  recordAuthorizationResponse(request.reportRecorder, parameters)
  const forwardUrl = await resolveForwardUrl(context, parameters)
  if (forwardUrl !== undefined) {
    assertUnambiguousResponse(provider.id, parameters)
    const code = parameters.get("code")
    if (code !== null) await recordArrival(context, code) // later ones here are refused
    return redirectTo(forwardUrl)
  }
  const state = parameters.get("state") ?? ""
  const providerError = describeError(parameters.get("error"), parameters.get("error_description"))
  const transaction = await findOAuthTransaction(context, state, "consume", providerError)
  const { callbackUrl, flow, rememberMe, linkRequest } = transaction
  const signIn = { callbackUrl, flow, rememberMe, isLinking: linkRequest !== undefined }
  try {
    const identity = await proveIdentity(context, parameters, transaction)
    return { kind: "completed", identity, signIn, linkRequest }
  } catch (error) {
    return { kind: "failed", error, signIn }
  }
}

const redirectTo = (to: string, status?: 303): FlowResult => ({
  kind: "response",
  outcome: { kind: "redirect", to, status },
})

/** Exchanges the code of a response for tokens, and returns the identity that they prove. */
async function proveIdentity(
  context: OAuthContext,
  parameters: URLSearchParams,
  transaction: OAuthTransaction,
): Promise<ProvenIdentity> {
  const { request, provider } = context
  const { reportRecorder: recorder, signal } = request
  recordTransaction(recorder, transaction)
  // Checked afterwards, because a response consumes its transaction even if it is refused.
  assertUnambiguousResponse(provider.id, parameters)
  const server = await context.getMetadata(provider)
  recordIssuer(recorder, provider, server, parameters)
  const validated = validateResponse(server, provider, parameters)
  if (isProxy(context) && !(await recordArrival(context, validated.get("code") ?? ""))) {
    const expected = "a code that this deployment has not forwarded to another one"
    throw new InvalidCheck({ provider: provider.id, expected })
  }
  const exchange = { server, provider, transaction, fetch: createProviderFetch(provider, signal) }
  const client = recorder ? recordRequests(exchange, recorder) : exchange
  const { tokens, idTokenClaims } = await exchangeCode(client, validated)
  const claims = await fetchClaims(client, tokens, idTokenClaims)
  if (idTokenClaims) verifyAuthTime(client, idTokenClaims)
  const profile = { ...parseUnsignedClaims(provider.responseParams, parameters), ...claims }
  return {
    ...(await createOAuthIdentity(client, profile, tokens)),
    ...(idTokenClaims && { authentication: readAuthentication(idTokenClaims) }),
  }
}

/** Parameters that a response may have only once (RFC 6749 section 3.1). */
const singleParameters = "code state iss error error_description response session_state".split(" ")
const frontChannelParameters = ["access_token", "id_token", "token", "token_type"]

async function getResponseParameters(context: OAuthContext): Promise<URLSearchParams> {
  const { request, provider } = context
  if (provider.usesFormPost) return consumeFormResponse(context)
  if (request.method === "GET") return request.query
  throw new InvalidCheck({ provider: provider.id, expected: "the provider's response by GET" })
}

/** Facebook reports some errors with a number, in parameters of its own. 200 is a permission that the user denied. */
function readErrorCode(parameters: URLSearchParams): URLSearchParams {
  const code = parameters.get("error_code")
  if (code === null || parameters.has("error")) return parameters
  const error = code === "200" ? "access_denied" : code
  const error_description = parameters.get("error_message") ?? ""
  return new URLSearchParams([...parameters, ...Object.entries({ error, error_description })])
}

function assertUnambiguousResponse(provider: string, parameters: URLSearchParams): void {
  if (singleParameters.some((name) => parameters.getAll(name).length > 1))
    throw new InvalidCheck({ provider, expected: "every parameter of the response once" })
  if (frontChannelParameters.some((name) => parameters.has(name))) {
    const expected = "a code and no tokens in the browser's request (RFC 9700 section 2.1.2)"
    throw new InvalidCheck({ provider, expected })
  }
}

function validateResponse(
  server: AuthorizationServer,
  { id: provider, issuer, clientId }: ResolvedOAuthProvider,
  parameters: URLSearchParams,
): URLSearchParams {
  const checkedParameters = issuer ? parameters : new URLSearchParams(parameters)
  // Providers without an issuer cannot be checked by `iss`. The state names the provider, too.
  if (!issuer) checkedParameters.delete("iss")
  try {
    const client = { client_id: clientId }
    const state = parameters.get("state") ?? ""
    const validated = validateAuthResponse(server, client, checkedParameters, state)
    if (!validated.get("code")) throw new TypeError("The response has no code")
    return validated
  } catch (cause) {
    if (!(cause instanceof AuthorizationResponseError))
      throw new OAuthCallbackError({ summary: "The response cannot be used." }, { provider, cause })
    throw createAuthorizationError(provider, cause.error, cause.error_description)
  }
}

/** Returns the claims that the response carries beside the code: text, and JSON objects unless they are broken. */
function parseUnsignedClaims(names: readonly string[], parameters: URLSearchParams): Claims {
  const parse = (name: string) => {
    const text = parameters.get(name) ?? ""
    const plainText = text === "" || text.startsWith("{") ? undefined : text
    return [name, parseJsonObject(text) ?? plainText] as const
  }
  return omitUndefined(Object.fromEntries(names.map(parse)))
}

// Responses that the provider posts (OAuth 2.0 Form Post Response Mode): browsers send no `Lax` cookies with a form that
// is posted across sites, so a sealed cookie carries the response to a GET request, with which they send the session.

/** How long the browser may take to follow the redirect, in seconds. */
const formMaxAge = 60
/** Maximum length of the encoded parameters: their sealed form has to fit into one cookie (RFC 6265bis section 6.1). */
const maxFormLength = 2600

/**
 * Saves a posted response and returns the URL that reads it. Saves nothing if the response belongs to no sign-in of
 * this browser, so that other sites cannot make it store more and more cookies. That URL then finds nothing.
 *
 * @throws InvalidCheck for a response that is too long
 */
async function saveFormResponse(context: OAuthContext): Promise<string> {
  const { request, provider } = context
  const state = (request.form.get("state") ?? "").slice(0, maxFormLength)
  const url = `${request.actionsUrl}/callback/${provider.id}?${new URLSearchParams({ state })}`
  const transaction = await getOAuthCookies(context).read(state)
  if (transaction?.["provider"] !== provider.id) return url
  const parameters = request.form.toString()
  if (parameters.length > maxFormLength) {
    const expected = `a response of at most ${maxFormLength} characters`
    throw new InvalidCheck({ provider: provider.id, expected, received: `${parameters.length}` })
  }
  await getFormCookies(context).save(state, { parameters }, formMaxAge)
  return url
}

/**
 * Returns the response that was saved, once.
 *
 * @throws InvalidCheck when this browser has none with the state in the query
 */
async function consumeFormResponse(context: OAuthContext): Promise<URLSearchParams> {
  const { request, provider } = context
  const state = request.query.get("state") ?? ""
  const saved = await getFormCookies(context).consume(state)
  if (!saved) {
    await findOAuthTransaction(context, state, "read") // says more, if there is no pending sign-in
    const expected = `the provider's response by POST, at most ${formMaxAge} s ago`
    throw new InvalidCheck({ provider: provider.id, expected, isExpired: true })
  }
  const parameters = new URLSearchParams(String(saved["parameters"]))
  const secrets = [...parameters].filter(([name]) => !publicParameters.has(name))
  request.secrets.push(...secrets.map(([, value]) => value))
  return parameters
}

function getFormCookies(context: OAuthContext): TransactionCookies {
  const cookie = createHostCookie(context.request.cookieDefinitions, "form-response")
  return new TransactionCookies(context, "form response", cookie)
}
