/** The scripted provider at the URLs of any other provider, which it recognises by the shape of the requests. */
import {
  type AuthorizationResponse,
  type Claims,
  createScriptedProvider,
  type ProviderFaults,
  type ScriptedProvider,
} from "@latchkey/testing"

/** A provider as its documentation describes it. */
export interface SimulatedProvider {
  readonly id: string
  /** The options of its factory, besides the client. */
  readonly options?: object
  /** The issuer of its ID tokens. Without it, the provider does not know OpenID Connect. */
  readonly issuer?: string
  /** Whether it returns an ID token without the scope `openid`. */
  readonly alwaysReturnsIdToken?: true
  /** Members of its metadata. */
  readonly metadata?: Claims
  /** The claims of the ID token, and the response of every URL that is not listed. */
  readonly claims: Claims
  /** Other responses by URL: JSON, or bytes. */
  readonly responses?: Readonly<Record<string, unknown>>
  readonly idToken?: ProviderFaults["idToken"]
  /** Whether the response of the userinfo endpoint is signed, like the ID token. */
  readonly signsUserinfo?: true
  readonly tokenResponse?: (honest: Claims) => Claims
  /** Further parameters of the authorization response. */
  readonly callback?: Readonly<Record<string, string>>
}

/** A request that an application sent to a provider. */
export interface ProviderRequest {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly form: URLSearchParams
}

export async function simulateProvider(simulated: SimulatedProvider) {
  const scripted = await createScriptedProvider({
    id: simulated.id,
    issuer: simulated.issuer ?? "https://provider.example",
    user: { sub: "7", ...simulated.claims },
  })
  let idToken = ""
  scripted.injectFaults({
    ...(simulated.idToken && { idToken: simulated.idToken }),
    token(honest) {
      idToken = String(honest["id_token"])
      return simulated.tokenResponse?.(honest) ?? honest
    },
    discovery: ({ authorization_response_iss_parameter_supported: _, ...honest }) => ({
      ...honest,
      ...simulated.metadata,
    }),
  })
  const requests: ProviderRequest[] = []
  const { clientId, clientSecret } = scripted
  return {
    requests,
    options: { clientId, clientSecret, ...simulated.options },
    fetch: (async (input, init) => {
      const request = new Request(input, init)
      const { url, method, headers } = request
      const form = new URLSearchParams(await request.text())
      requests.push({ url, method, headers, form })
      if (simulated.signsUserinfo && url === scripted.endpoints.userinfo)
        return new Response(idToken, { headers: { "content-type": "application/jwt" } })
      return respond(simulated, scripted, { url, method, headers, form })
    }) satisfies typeof fetch as typeof fetch,
    approve: (authorizationUrl: URL) => approve(simulated, scripted, authorizationUrl),
  }
}

export const isTokenRequest = ({ form }: ProviderRequest): boolean =>
  form.get("grant_type") === "authorization_code"

export const isMetadataRequest = ({ url }: ProviderRequest): boolean =>
  url.includes("/.well-known/") || isKeyRequest(url)

const isKeyRequest = (url: string) => /\/(?:jwks|certs|keys|discovery\/v2\.0\/keys)\b/.test(url)

async function respond(
  { claims, responses = {} }: SimulatedProvider,
  scripted: ScriptedProvider,
  request: ProviderRequest,
): Promise<Response> {
  const { url } = request
  const response = responses[url]
  if (response instanceof Uint8Array) return new Response(new Uint8Array(response))
  if (response !== undefined) return Response.json(response)
  if (isTokenRequest(request)) return redeemCode(scripted, request)
  if (isKeyRequest(url)) return scripted.fetch(scripted.endpoints.jwks)
  if (isMetadataRequest(request)) return scripted.fetch(scripted.endpoints.discovery)
  return Response.json(claims)
}

/** Sends a token request to the scripted provider, with the names of the standard. */
function redeemCode(scripted: ScriptedProvider, { url, headers, form }: ProviderRequest) {
  const authorization = headers.get("authorization")
  const secret = form.get("client_secret") ?? new URL(url).searchParams.get("secret") ?? ""
  const body = new URLSearchParams(form)
  if (!authorization) body.set("client_id", scripted.clientId)
  if (!authorization) body.set("client_secret", secret)
  return scripted.fetch(scripted.endpoints.token, {
    method: "POST",
    body,
    headers: authorization ? { authorization } : {},
  })
}

/** Approves a request that may have other names for parameters. */
function approve(
  simulated: SimulatedProvider,
  scripted: ScriptedProvider,
  { search, searchParams }: URL,
): AuthorizationResponse {
  const url = new URL(scripted.endpoints.authorize)
  url.search = search
  url.searchParams.set("response_type", "code")
  url.searchParams.set("client_id", scripted.clientId)
  const scopes = new Set((searchParams.get("scope") ?? "").split(/[ ,]+/))
  if (simulated.alwaysReturnsIdToken) scopes.add("openid")
  if (!simulated.issuer) scopes.delete("openid")
  url.searchParams.set("scope", [...scopes].join(" "))
  const callback = scripted.approve(url)
  callback.parameters.delete("iss")
  for (const [name, value] of Object.entries(simulated.callback ?? {}))
    callback.parameters.set(name, value)
  return callback
}
