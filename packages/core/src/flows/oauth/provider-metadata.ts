/** A provider's endpoints: configured, or discovered (OpenID Connect Discovery 1.0, RFC 8414). */
import type { AuthorizationServer } from "oauth4webapi"
import { describeValue } from "../../errors/describe-value.ts"
import { InvalidEndpoints } from "../../errors.ts"
import { isPrivateHost, isSecureEndpoint } from "../../http/private-hosts.ts"
import { createProviderFetch, ProviderFetchError } from "../../http/provider-fetch.ts"
import { loadOnFirstCall } from "../../load-on-first-call.ts"
import { omitUndefined } from "../../objects.ts"
import { buildWellKnownUrl } from "../../providers/resolve-provider.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"

/** Providers whose endpoints are configured do without the protocol library until their first callback. */
const protocol = loadOnFirstCall(() => import("./discovery-response.ts"))

/**
 * Takes each endpoint of a provider from the configuration, or else from the discovered metadata.
 *
 * @throws InvalidEndpoints when an endpoint is missing, or a discovered one is not allowed
 */
export async function loadMetadata(provider: ResolvedOAuthProvider): Promise<AuthorizationServer> {
  const { issuer, userinfo } = provider
  const configured = omitUndefined({
    authorization_endpoint: provider.authorization.url,
    token_endpoint: provider.token.url,
    userinfo_endpoint: userinfo.url,
    jwks_uri: provider.jwksUri,
    end_session_endpoint: provider.endSessionUrl,
  })
  const missing = listUsedEndpoints(provider).filter((name) => configured[name] === undefined)
  const needsDiscovery = missing.some((name) => name !== "userinfo_endpoint" || !userinfo.request)
  const discovered = issuer && needsDiscovery ? await discoverServer(provider) : undefined
  for (const name of missing) checkDiscoveredEndpoint(provider, name, discovered?.[name])
  // An OAuth 2 provider without an issuer: nothing is compared with this one.
  return { issuer: issuer ?? "urn:latchkey:no-issuer", ...discovered, ...configured }
}

/** The endpoints that a sign-in may use, and the options that set them. */
const endpointOptions = {
  authorization_endpoint: "authorization",
  token_endpoint: "token",
  userinfo_endpoint: "userinfo",
  jwks_uri: "jwks_endpoint",
} as const

type EndpointName = keyof typeof endpointOptions

/** `userinfo.request` of an OAuth 2 provider receives the userinfo endpoint, too. */
function listUsedEndpoints({ type, usesIdToken }: ResolvedOAuthProvider): EndpointName[] {
  const isOidc = type === "oidc"
  return [
    ...(["authorization_endpoint", "token_endpoint"] as const),
    ...(isOidc ? (["jwks_uri"] as const) : []),
    ...(isOidc && usesIdToken ? [] : (["userinfo_endpoint"] as const)),
  ]
}

async function discoverServer(provider: ResolvedOAuthProvider): Promise<AuthorizationServer> {
  const response = await fetchMetadata(provider)
  const issuer = new URL(provider.metadataIssuer ?? "")
  return protocol.processDiscoveryResponse(issuer, response).catch(throwIssuerMismatch)
}

/**
 * Checks that an endpoint from the metadata is not less secure than the configured issuer.
 *
 * @throws InvalidEndpoints
 */
function checkDiscoveredEndpoint(
  { id, issuer = "", allowInsecure }: ResolvedOAuthProvider,
  name: EndpointName,
  endpoint: string | undefined,
): void {
  if (!endpoint && (name === "jwks_uri" || name === "userinfo_endpoint")) return
  const url = URL.canParse(String(endpoint)) ? new URL(String(endpoint)) : undefined
  const isAllowed =
    url &&
    isSecureEndpoint(url, allowInsecure) &&
    (!isPrivateHost(url.hostname) || isPrivateHost(new URL(issuer).hostname))
  if (isAllowed) return
  throw new InvalidEndpoints({
    provider: id,
    expected: `\`${name}\` in the metadata of provider ${id} to be a public https URL`,
    received: describeValue(endpoint),
    hint: `If you know the right URL, set \`${endpointOptions[name]}\` of the provider: it may be private.`,
  })
}

/** Says how the issuers differ, which the error of the protocol library does not. */
function throwIssuerMismatch(error: unknown): never {
  const { expected, body, attribute } = Object(Object(error).cause)
  if (attribute !== "issuer") throw error
  const received = describeValue(body.issuer)
  throw new TypeError(`The metadata names the issuer ${received}, not ${describeValue(expected)}`)
}

/** Requests the configured document. If that fails, requests the one that the issuer itself names. */
async function fetchMetadata(provider: ResolvedOAuthProvider): Promise<Response> {
  const { issuer, wellKnown = "" } = provider
  // No request may abort it, because all requests share it.
  const providerFetch = createProviderFetch(provider)
  const request = async (url: string): Promise<Response> => {
    const response = await providerFetch(url, { headers: { accept: "application/json" } })
    const { status } = response
    if (status === 200) return response
    throw new ProviderFetchError(`${url} returned ${status}`, { isTemporary: status >= 500 })
  }
  const ownUrl = buildWellKnownUrl(issuer)
  if (ownUrl === undefined || wellKnown === ownUrl) return request(wellKnown)
  return request(wellKnown).catch(() => request(ownUrl))
}
