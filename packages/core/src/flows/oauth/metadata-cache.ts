/** What was learned of providers, for every configuration that describes them alike. */
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import { createProviderMetadata, type ProviderMetadata } from "./provider-metadata.ts"

/** Most providers that are remembered at once. */
const maxProviders = 64

/** The metadata and keys of a provider, remembered. */
export type MetadataCache = (provider: ResolvedOAuthProvider) => ProviderMetadata

/** Creates a memory with nothing in it. */
export function createMetadataCache(): MetadataCache {
  const byProvider = new WeakMap<ResolvedOAuthProvider, ProviderMetadata>()
  const byDescription = new Map<
    string,
    { readonly fetch: unknown; readonly metadata: ProviderMetadata }
  >()
  return (provider) => {
    const cached = byProvider.get(provider)
    if (cached) return cached
    const key = createCacheKey(provider)
    const match = byDescription.get(key)
    const metadata =
      match && match.fetch === provider.fetch ? match.metadata : createProviderMetadata(provider)
    byProvider.set(provider, metadata)
    byDescription.delete(key)
    byDescription.set(key, { fetch: provider.fetch, metadata })
    for (const oldest of byDescription.keys()) {
      if (byDescription.size <= maxProviders) break
      byDescription.delete(oldest)
    }
    return metadata
  }
}

/** Everything that decides what is asked for, and what of the answer is used. */
function createCacheKey(provider: ResolvedOAuthProvider): string {
  const { id, type, issuer, metadataIssuer, wellKnown, jwksUri, usesIdToken, allowInsecure } =
    provider
  const { authorization, token, userinfo } = provider
  const endpoints = [authorization.url, token.url, userinfo.url, Boolean(userinfo.request)]
  return JSON.stringify([
    id,
    type,
    issuer,
    metadataIssuer,
    wellKnown,
    jwksUri,
    usesIdToken,
    allowInsecure,
    endpoints,
  ])
}
