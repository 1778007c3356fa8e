/** A provider's metadata and keys: configured, discovered, kept for a while. */
import { createLocalJWKSet, type JSONWebKeySet } from "jose"
import { type AuthorizationServer, processDiscoveryResponse } from "oauth4webapi"
import { InvalidEndpoints } from "../../errors.ts"
import { isPrivateHost } from "../../http/private-hosts.ts"
import {
  assertSecureUrl,
  createProviderFetch,
  type ProviderFetch,
} from "../../http/provider-fetch.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"

/** How long metadata and keys are used before they are asked for again, in milliseconds. */
const cacheLifetime = 3_600_000
/** How long an unknown key has to wait after another one made us ask again, in milliseconds. */
const minRefetchInterval = 30_000

/** Resolves the key that a token names. */
export type KeySet = ReturnType<typeof createLocalJWKSet>

/** The memory of one provider. */
export interface ProviderMetadata {
  /**
   * The endpoints in effect.
   *
   * @throws InvalidEndpoints when one that was discovered may not be used
   */
  getServer(): Promise<AuthorizationServer>
  getKeys(): Promise<KeySet>
  /** The newest keys, for a token whose key is unknown; asked for anew unless that was done just now. */
  refreshKeys(): Promise<KeySet>
}

interface CachedValue<T> {
  readonly promise: Promise<T>
  readonly expiresAt: number
}

/** Keeps what a function gives, but no failure. */
function createCache<T>(load: () => Promise<T>): { get(): Promise<T>; refresh(): Promise<T> } {
  let current: CachedValue<T> | undefined
  const getUnexpired = () => (current && current.expiresAt > Date.now() ? current : undefined)
  const refresh = (): Promise<T> => {
    const entry: CachedValue<T> = { promise: load(), expiresAt: Date.now() + cacheLifetime }
    // What is still good goes on serving until the newer one is here.
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

export function createProviderMetadata(provider: ResolvedOAuthProvider): ProviderMetadata {
  // Shared by all requests, so not aborted with any of them.
  const providerFetch = createProviderFetch({
    fetch: provider.fetch,
    allowInsecure: provider.allowInsecure,
    signal: undefined,
  })
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

/** Each endpoint is the configured one, or else the discovered one; never a made-up one. */
async function resolveServer(
  provider: ResolvedOAuthProvider,
  providerFetch: ProviderFetch,
): Promise<AuthorizationServer> {
  const discovered = needsDiscovery(provider)
    ? await discoverServer(provider, providerFetch)
    : undefined
  const configured = {
    authorization_endpoint: provider.authorization.url,
    token_endpoint: provider.token.url,
    userinfo_endpoint: provider.userinfo.url,
    jwks_uri: provider.jwksUri,
  }
  const configuredEntries = Object.entries(configured).filter(([, url]) => url !== undefined)
  // An OAuth 2 provider need not have an issuer; nothing is compared with this one then.
  const issuer = provider.issuer ?? "urn:latchkey:no-issuer"
  const server: AuthorizationServer = {
    issuer,
    ...discovered,
    ...Object.fromEntries(configuredEntries),
  }
  for (const name of ["authorization_endpoint", "token_endpoint"] as const) {
    if (server[name] === undefined) throw createEndpointError(provider.id, name, undefined)
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
  for (const [name, value] of Object.entries(metadata)) {
    if (name === "jwks_uri" || name.endsWith("_endpoint"))
      assertDiscoveredEndpoint(provider, name, value)
  }
  return metadata
}

/** What a document says is not trusted with more than the configuration was. */
function assertDiscoveredEndpoint(
  provider: ResolvedOAuthProvider,
  name: string,
  value: unknown,
): void {
  const issuer = new URL(provider.issuer ?? "")
  const usedEndpoints = [
    "authorization_endpoint",
    "token_endpoint",
    "userinfo_endpoint",
    "jwks_uri",
  ]
  if (value === undefined || !usedEndpoints.includes(name)) return
  try {
    const url = new URL(String(value))
    assertSecureUrl(url, provider.allowInsecure)
    if (!isPrivateHost(url.hostname) || isPrivateHost(issuer.hostname)) return
  } catch (cause) {
    throw createEndpointError(provider.id, name, cause)
  }
  throw createEndpointError(provider.id, name, undefined)
}

function createEndpointError(provider: string, name: string, cause: unknown): InvalidEndpoints {
  return new InvalidEndpoints({
    provider,
    expected: `\`${name}\` in the metadata of provider ${provider} to be a public https URL`,
    cause,
  })
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
  // `createLocalJWKSet` checks the shape and throws for any other.
  const keys = createLocalJWKSet(keySet as JSONWebKeySet)
  if (keys.jwks().keys.length > 0) return keys
  throw new InvalidEndpoints({ provider, expected: "a key in the key set" })
}
