/** A provider's endpoints and keys: configured, or discovered and cached. */
import { createLocalJWKSet, type JSONWebKeySet } from "jose"
import { type AuthorizationServer, processDiscoveryResponse } from "oauth4webapi"
import { InvalidEndpoints } from "../../errors.ts"
import { isPrivateHost } from "../../http/private-hosts.ts"
import {
  assertSecureUrl,
  createProviderFetch,
  type ProviderFetch,
} from "../../http/provider-fetch.ts"
import { omitUndefined } from "../../objects.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"

/** How long metadata and keys are cached, in milliseconds. */
const cacheLifetime = 3_600_000
/** Minimum time between two requests for keys because of an unknown key, in milliseconds. */
const minRefetchInterval = 30_000

/** Resolves the key that a token names. */
export type KeySet = ReturnType<typeof createLocalJWKSet>

export interface ProviderMetadata {
  /**
   * Returns the endpoints in effect.
   *
   * @throws InvalidEndpoints when a discovered endpoint is not allowed
   */
  getServer(): Promise<AuthorizationServer>
  getKeys(): Promise<KeySet>
  /** Returns the newest keys, for a token whose key is unknown. Fetches them at most every 30 seconds. */
  refreshKeys(): Promise<KeySet>
}

/** A provider with everything that a request to it needs. */
export interface ProviderClient {
  readonly provider: ResolvedOAuthProvider
  /** The endpoints in effect. */
  readonly server: AuthorizationServer
  readonly metadata: ProviderMetadata
  readonly fetch: ProviderFetch
}

interface CachedValue<T> {
  readonly promise: Promise<T>
  readonly expiresAt: number
}

/** Caches the result of a function. Failures are not cached. */
function createCache<T>(load: () => Promise<T>): { get(): Promise<T>; refresh(): Promise<T> } {
  let current: CachedValue<T> | undefined
  const getUnexpired = () => (current && current.expiresAt > Date.now() ? current : undefined)
  const refresh = (): Promise<T> => {
    const entry: CachedValue<T> = { promise: load(), expiresAt: Date.now() + cacheLifetime }
    // A value that has not expired is used until the new one has arrived.
    current = getUnexpired() ?? entry
    entry.promise.then(
      () => {
        current = entry
      },
      () => {
        if (current === entry) current = undefined
      },
    )
    return entry.promise
  }
  return { get: () => getUnexpired()?.promise ?? refresh(), refresh }
}

function createProviderMetadata(provider: ResolvedOAuthProvider): ProviderMetadata {
  // No request may abort it, because all requests share it.
  const providerFetch = createProviderFetch({ ...provider, signal: undefined })
  const server = createCache(() => resolveServer(provider, providerFetch))
  const keys = createCache(async () =>
    fetchKeySet((await server.get()).jwks_uri, provider.id, providerFetch),
  )
  let lastRefresh: CachedValue<KeySet> | undefined
  return {
    getServer: server.get,
    getKeys: keys.get,
    refreshKeys() {
      if (!lastRefresh || lastRefresh.expiresAt <= Date.now()) {
        lastRefresh = { promise: keys.refresh(), expiresAt: Date.now() + minRefetchInterval }
      }
      return lastRefresh.promise
    },
  }
}

/** Maximum number of providers whose metadata is cached. */
const maxProviders = 64

/** Returns the cached metadata of a provider, which configurations that describe it alike share. */
export type MetadataCache = (provider: ResolvedOAuthProvider) => ProviderMetadata

export function createMetadataCache(): MetadataCache {
  const byProvider = new WeakMap<ResolvedOAuthProvider, ProviderMetadata>()
  const byDescription = new Map<string, { fetch: unknown; metadata: ProviderMetadata }>()
  return (provider) => {
    const cached = byProvider.get(provider)
    if (cached) return cached
    const { fetch } = provider
    const key = describeProvider(provider)
    const match = byDescription.get(key)
    const metadata = match?.fetch === fetch ? match?.metadata : undefined
    const entry = { fetch, metadata: metadata ?? createProviderMetadata(provider) }
    byProvider.set(provider, entry.metadata)
    byDescription.delete(key)
    byDescription.set(key, entry)
    const [oldest = ""] = byDescription.keys()
    if (byDescription.size > maxProviders) byDescription.delete(oldest)
    return entry.metadata
  }
}

/** Describes everything that decides which endpoints are requested, and which of the discovered ones are used. */
function describeProvider(provider: ResolvedOAuthProvider): string {
  const { id, type, issuer, metadataIssuer, wellKnown, jwksUri, usesIdToken, allowInsecure } =
    provider
  const { authorization, token, userinfo } = provider
  const endpoints = [authorization.url, token.url, userinfo.url, Boolean(userinfo.request)]
  const identifiers = [id, type, issuer, metadataIssuer, wellKnown, jwksUri]
  return JSON.stringify([...identifiers, usesIdToken, allowInsecure, ...endpoints])
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
  const { metadataIssuer = "", wellKnown = "" } = provider
  const response = await providerFetch(wellKnown, { headers: { accept: "application/json" } })
  const metadata = await processDiscoveryResponse(new URL(metadataIssuer), response)
  assertAllowedEndpoints(provider, metadata)
  return metadata
}

const usedEndpoints = [
  "authorization_endpoint",
  "token_endpoint",
  "userinfo_endpoint",
  "jwks_uri",
] as const

/** A discovered endpoint may not be less secure than the configured issuer. */
function assertAllowedEndpoints(
  { id, issuer = "", allowInsecure }: ResolvedOAuthProvider,
  metadata: AuthorizationServer,
): void {
  for (const name of usedEndpoints) {
    if (metadata[name] === undefined) continue
    try {
      const url = new URL(String(metadata[name]))
      assertSecureUrl(url, allowInsecure)
      if (!isPrivateHost(url.hostname) || isPrivateHost(new URL(issuer).hostname)) continue
    } catch (cause) {
      throw createEndpointError(id, name, cause)
    }
    throw createEndpointError(id, name)
  }
}

function createEndpointError(provider: string, name: string, cause?: unknown): InvalidEndpoints {
  const expected = `\`${name}\` in the metadata of provider ${provider} to be a public https URL`
  return new InvalidEndpoints({ provider, expected, cause })
}

async function fetchKeySet(
  jwksUri: string | undefined,
  provider: string,
  providerFetch: ProviderFetch,
): Promise<KeySet> {
  if (jwksUri === undefined) {
    throw new InvalidEndpoints({
      provider,
      expected: `provider ${provider} to have a \`jwks_uri\``,
      hint: "Without keys the signature of an ID token cannot be verified.",
    })
  }
  const response = await providerFetch(jwksUri, { headers: { accept: "application/json" } })
  if (response.status !== 200) {
    throw new InvalidEndpoints({ provider, expected: "status 200 from the key set" })
  }
  const keySet: unknown = await response.json()
  // `createLocalJWKSet` throws for anything else.
  const keys = createLocalJWKSet(keySet as JSONWebKeySet)
  if (keys.jwks().keys.length > 0) return keys
  throw new InvalidEndpoints({ provider, expected: "a key in the key set" })
}
