import { approveAuthorization } from "./authorization-endpoint.ts"
import { detectAuthMethods } from "./client-authentication.ts"
import { escapeHtml } from "./escape-html.ts"
import { createJsonResponse } from "./json-response.ts"
import { createDiscoveryDocument, createKeySet } from "./metadata.ts"
import { ProviderError } from "./provider-error.ts"
import { findResponseModifier, getEndpointFault } from "./provider-faults.ts"
import type { ProviderState } from "./provider-state.ts"
import { handleTokenRequest } from "./token-endpoint.ts"
import { redirectTargetPath, transportFaults } from "./transport-faults.ts"
import type { Claims, EndpointName, RecordedRequest, Responder } from "./types.ts"
import { handleUserinfoRequest } from "./userinfo-endpoint.ts"

/** Handles a request: records it, then applies the faults, or responds honestly. */
export async function handleProviderRequest(
  state: ProviderState,
  request: Request,
): Promise<Response> {
  const recorded = await recordRequest(state, request)
  const getDefaultResponse = memoize(() => createDefaultResponse(state, recorded))
  if (new URL(request.url).pathname.startsWith(redirectTargetPath)) return getDefaultResponse()
  const response = await findResponder(state, recorded.endpoint)?.(recorded, getDefaultResponse)
  return response ?? applyModifier(state, recorded, await getDefaultResponse())
}

/** Records a request, including those to other hosts, because tests check where secrets were sent. */
async function recordRequest(state: ProviderState, request: Request): Promise<RecordedRequest> {
  const { method, headers, signal } = request
  const url = new URL(request.url)
  const text = request.body ? await request.clone().text() : ""
  const isForm = headers.get("content-type")?.startsWith("application/x-www-form-urlencoded")
  const body = new URLSearchParams(isForm ? text : "")
  const endpoint = resolveEndpoint(state, url)
  const clientAuth = endpoint === "token" ? detectAuthMethods(headers, body)[0] : undefined
  const recorded = {
    endpoint,
    method,
    url,
    headers,
    body,
    text,
    signal,
    ...(clientAuth && { clientAuth }),
  }
  state.requests.push(recorded)
  return recorded
}

function resolveEndpoint(state: ProviderState, url: URL): EndpointName {
  const issuer = new URL(state.issuer)
  if (url.origin !== issuer.origin) return "elsewhere"
  const path = url.pathname.replace(new RegExp(`^${redirectTargetPath}`), "")
  const base = issuer.pathname.replace(/\/$/, "")
  if (!path.startsWith(`${base}/`)) return "elsewhere"
  return endpointsByPath[path.slice(base.length)] ?? "elsewhere"
}

/** `/oauth2/…` are the paths of `tenantidp`, `/info` is that of `socialidp`. */
const endpointsByPath: Readonly<Record<string, EndpointName>> = {
  "/.well-known/openid-configuration": "discovery",
  "/jwks": "jwks",
  "/authorize": "authorize",
  "/oauth2/authorize": "authorize",
  "/token": "token",
  "/oauth2/token": "token",
  "/userinfo": "userinfo",
  "/oauth2/userinfo": "userinfo",
  "/info": "userinfo",
  "/logout": "endSession",
}

function findResponder(state: ProviderState, endpoint: EndpointName): Responder | undefined {
  const customResponder = state.responders.get(endpoint)
  if (customResponder) return customResponder
  const fault = getEndpointFault(state.faults, endpoint)
  return typeof fault === "string" && fault in transportFaults
    ? transportFaults[fault as keyof typeof transportFaults]
    : undefined
}

/** Applies the modifier to honest responses. Error responses remain unchanged. */
async function applyModifier(
  { faults, endpoints }: ProviderState,
  { endpoint }: RecordedRequest,
  response: Response,
): Promise<Response> {
  const modify = response.ok ? findResponseModifier(faults, endpoint) : undefined
  const changed = modify ? await modify((await response.json()) as Claims, endpoints) : response
  const modifiedResponse = changed instanceof Response ? changed : createJsonResponse(changed)
  if (endpoint === "token" && faults.wwwAuthenticate !== undefined) {
    modifiedResponse.headers.set("www-authenticate", faults.wwwAuthenticate)
  }
  return modifiedResponse
}

async function createDefaultResponse(
  state: ProviderState,
  request: RecordedRequest,
): Promise<Response> {
  try {
    return await endpointHandlers[request.endpoint](state, request)
  } catch (thrown) {
    if (!(thrown instanceof ProviderError)) throw thrown
    const { error, message, status } = thrown
    const scheme = request.endpoint === "userinfo" ? "Bearer" : "Basic"
    const challenge = status === 401 ? { "www-authenticate": `${scheme} realm="scripted"` } : {}
    return createJsonResponse({ error, error_description: message }, status, challenge)
  }
}

type EndpointHandler = (
  state: ProviderState,
  request: RecordedRequest,
) => Response | Promise<Response>

const notFound = (): Response => new Response("Not found.", { status: 404 })

const oidcOnly =
  (createBody: (state: ProviderState) => unknown): EndpointHandler =>
  (state) =>
    state.dialect === "social" ? notFound() : createJsonResponse(createBody(state))

const endpointHandlers: Record<EndpointName, EndpointHandler> = {
  discovery: oidcOnly(createDiscoveryDocument),
  jwks: oidcOnly(createKeySet),
  authorize: (state, { url }) => handleAuthorizationRequest(state, url),
  token: handleTokenRequest,
  userinfo: handleUserinfoRequest,
  endSession: handleLogoutRequest,
  elsewhere: notFound,
}

/** Approves without asking, because over HTTP there is nobody to ask. */
function handleAuthorizationRequest(state: ProviderState, url: URL): Response {
  const requestedUrl = new URL(state.endpoints.authorize)
  requestedUrl.search = url.search
  const { url: redirectUrl, form } = approveAuthorization(state, requestedUrl)
  if (!form) return new Response(null, { status: 302, headers: { location: redirectUrl.href } })
  const renderField = ([name, value]: [string, string]): string =>
    `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`
  const page = `<!doctype html><title>Signing in</title><body onload="document.forms[0].submit()">
<form method="post" action="${escapeHtml(redirectUrl.href)}">${[...form].map(renderField).join("")}<button>Continue</button></form>`
  return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } })
}

/** Ends no session, because there is none, and leads back (OpenID Connect RP-Initiated Logout 1.0 section 3). */
function handleLogoutRequest({ dialect }: ProviderState, { url }: RecordedRequest): Response {
  const target = url.searchParams.get("post_logout_redirect_uri")
  if (dialect === "social" || target === null) return notFound()
  const location = new URL(target)
  location.searchParams.set("state", url.searchParams.get("state") ?? "")
  return new Response(null, { status: 302, headers: { location: location.href } })
}

function memoize<T>(compute: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    result ??= compute()
    return result
  }
}
