/** What was learned of providers, for every configuration that describes them alike. */
import type { ResolvedOAuthProvider } from "../../providers/resolved.ts"
import { createMetadata, type Metadata } from "./metadata.ts"

/** Most providers that are remembered at once. */
const most = 64

/** The metadata and keys of a provider, remembered. */
export type MetadataMemory = (provider: ResolvedOAuthProvider) => Metadata

/** Creates a memory with nothing in it. */
export function createMetadataMemory(): MetadataMemory {
  const objects = new WeakMap<ResolvedOAuthProvider, Metadata>()
  const described = new Map<string, { readonly fetch: unknown; readonly metadata: Metadata }>()
  return (provider) => {
    const known = objects.get(provider)
    if (known) return known
    const key = descriptionOf(provider)
    const alike = described.get(key)
    const metadata =
      alike && alike.fetch === provider.fetch ? alike.metadata : createMetadata(provider)
    objects.set(provider, metadata)
    described.delete(key)
    described.set(key, { fetch: provider.fetch, metadata })
    for (const oldest of described.keys()) {
      if (described.size <= most) break
      described.delete(oldest)
    }
    return metadata
  }
}

/** Everything that decides what is asked for, and what of the answer is used. */
function descriptionOf(provider: ResolvedOAuthProvider): string {
  const { id, type, issuer, announcedIssuer, wellKnown, jwksUri, idToken, allowInsecure } = provider
  const { authorization, token, userinfo } = provider
  const endpoints = [authorization.url, token.url, userinfo.url, Boolean(userinfo.request)]
  return JSON.stringify([
    id,
    type,
    issuer,
    announcedIssuer,
    wellKnown,
    jwksUri,
    idToken,
    allowInsecure,
    endpoints,
  ])
}
