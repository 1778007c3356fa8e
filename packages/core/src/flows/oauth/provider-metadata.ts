/** A provider's endpoints and keys: configured, or discovered. */
import { createRemoteJWKSet, errors, type JWK, customFetch as jwksFetch } from "jose"
import { type AuthorizationServer, processDiscoveryResponse } from "oauth4webapi"
import { describeValue } from "../../errors/describe-value.ts"
import { InvalidEndpoints } from "../../errors.ts"
import { isPrivateHost } from "../../http/private-hosts.ts"
import {
  createProviderFetch,
  isSecureEndpoint,
  type ProviderFetch,
  ProviderFetchError,
} from "../../http/provider-fetch.ts"
import { omitUndefined } from "../../objects.ts"
import { buildWellKnownUrl } from "../../providers/resolve-provider.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"

/** Minimum time between two requests for keys because of an unknown key, in milliseconds. */
const minRefetchInterval = 30_000

type KeyResolver = ReturnType<typeof createRemoteJWKSet>

export interface ProviderMetadata {
  /** The endpoints in effect. */
  readonly server: AuthorizationServer
  /** Returns the key that a token names. Fetches the keys when they are first needed, and for an unknown key. */
  readonly getKey: (...token: Parameters<KeyResolver>) => ReturnType<KeyResolver>
  /** Returns the keys that were fetched, as the provider describes them. */
  readonly listKeys: () => readonly JWK[]
}

/**
 * Loads the metadata of a provider.
 *
 * @param keyLifetime how long its keys may be used before they are fetched again, in milliseconds
 * @throws InvalidEndpoints when an endpoint is missing, or a discovered one is not allowed
 */
export async function loadMetadata(
  provider: ResolvedOAuthProvider,
  keyLifetime: number,
): Promise<ProviderMetadata> {
  // No request may abort it, because all requests share it.
  const providerFetch = createProviderFetch({ ...provider, signal: undefined })
  const server = await resolveServer(provider, providerFetch)
  const { id } = provider
  const { jwks_uri } = server
  const keys =
    jwks_uri === undefined
      ? undefined
      : createRemoteJWKSet(new URL(jwks_uri), {
          cacheMaxAge: keyLifetime,
          // Would count from the first request, so that a new key might be unknown for a while.
          cooldownDuration: Number.POSITIVE_INFINITY,
          [jwksFetch]: providerFetch,
        })
  const listKeys = () => keys?.jwks()?.keys ?? []
  let refreshedAt = 0
  return {
    server,
    async getKey(...token) {
      if (!keys) {
        const expected = `provider ${id} to have a \`jwks_uri\``
        const hint = "Without keys the signature of an ID token cannot be verified."
        throw new InvalidEndpoints({ provider: id, expected, hint })
      }
      try {
        return await keys(...token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        // The provider may have rotated its keys since they were fetched.
        const isDue = Date.now() - refreshedAt >= minRefetchInterval || listKeys().length === 0
        if (isDue || keys.reloading) {
          refreshedAt = Date.now()
          await keys.reload()
        }
        return keys(...token)
      }
    },
    listKeys,
  }
}

/** Takes each endpoint from the configuration, or else from the discovered metadata. */
async function resolveServer(
  provider: ResolvedOAuthProvider,
  providerFetch: ProviderFetch,
): Promise<AuthorizationServer> {
  const discovered = needsDiscovery(provider) ? await discoverServer(provider, providerFetch) : {}
  const server: AuthorizationServer = {
    // An OAuth 2 provider without an issuer: nothing is compared with this one.
    issuer: provider.issuer ?? "urn:latchkey:no-issuer",
    ...discovered,
    ...omitUndefined({
      authorization_endpoint: provider.authorization.url,
      token_endpoint: provider.token.url,
      userinfo_endpoint: provider.userinfo.url,
      jwks_uri: provider.jwksUri,
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

async function discoverServer(
  provider: ResolvedOAuthProvider,
  providerFetch: ProviderFetch,
): Promise<AuthorizationServer> {
  const { id, issuer = "", metadataIssuer = "", allowInsecure } = provider
  const response = await fetchMetadata(provider, providerFetch)
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
async function fetchMetadata(
  { issuer, wellKnown = "" }: ResolvedOAuthProvider,
  providerFetch: ProviderFetch,
): Promise<Response> {
  const request = async (url: string): Promise<Response> => {
    const response = await providerFetch(url, { headers: { accept: "application/json" } })
    if (response.status === 200) return response
    const { status } = response
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
