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
const processDiscoveryResponse = loadOnFirstCall(
  async () => (await import("oauth4webapi")).processDiscoveryResponse,
)

/**
 * Takes each endpoint of a provider from the configuration, or else from the discovered metadata.
 *
 * @throws InvalidEndpoints when an endpoint is missing, or a discovered one is not allowed
 */
export async function loadMetadata(provider: ResolvedOAuthProvider): Promise<AuthorizationServer> {
  const discovered = needsDiscovery(provider) ? await discoverServer(provider) : {}
  const server: AuthorizationServer = {
    // An OAuth 2 provider without an issuer: nothing is compared with this one.
    issuer: provider.issuer ?? "urn:latchkey:no-issuer",
    ...discovered,
    ...omitUndefined({
      authorization_endpoint: provider.authorization.url,
      token_endpoint: provider.token.url,
      userinfo_endpoint: provider.userinfo.url,
      jwks_uri: provider.jwksUri,
      end_session_endpoint: provider.endSessionUrl,
    }),
  }
  for (const name of ["authorization_endpoint", "token_endpoint"] as const) {
    if (server[name] === undefined) throw createEndpointError(provider.id, name)
  }
  return server
}

function needsDiscovery(provider: ResolvedOAuthProvider): boolean {
  const { authorization, token, userinfo, jwksUri } = provider
  if (!provider.issuer) return false
  if (!authorization.url || !token.url) return true
  if (provider.type === "oauth") return !userinfo.url && !userinfo.request
  return !jwksUri || (!provider.usesIdToken && !userinfo.url)
}

/** @throws InvalidEndpoints when a discovered endpoint is not allowed */
async function discoverServer(provider: ResolvedOAuthProvider): Promise<AuthorizationServer> {
  const { id, issuer = "", metadataIssuer = "", allowInsecure } = provider
  const response = await fetchMetadata(provider)
  const processed = processDiscoveryResponse(new URL(metadataIssuer), response)
  const metadata = await processed.catch(throwIssuerMismatch)
  const { authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri } = metadata
  const endpoints = { authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri }
  // A discovered endpoint may not be less secure than the configured issuer.
  for (const [name, endpoint] of Object.entries(omitUndefined(endpoints))) {
    try {
      const url = new URL(String(endpoint))
      if (!isSecureEndpoint(url, allowInsecure)) throw new TypeError(`${url.origin} is not https`)
      if (isPrivateHost(url.hostname) && !isPrivateHost(new URL(issuer).hostname))
        throw new TypeError(`${url.hostname} is private, and the issuer is not`)
    } catch (cause) {
      throw createEndpointError(id, name, cause)
    }
  }
  return metadata
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

function createEndpointError(provider: string, name: string, cause?: unknown): InvalidEndpoints {
  const expected = `\`${name}\` in the metadata of provider ${provider} to be a public https URL`
  return new InvalidEndpoints({ provider, expected, cause })
}
