/** The cached metadata of providers. The module that requests it loads with the first provider sign-in. */
import type { AuthorizationServer } from "oauth4webapi"
import { memoize } from "../../crypto/memoize.ts"
import { loadOnFirstCall } from "../../load-on-first-call.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"

const providerMetadata = loadOnFirstCall(() => import("./provider-metadata.ts"))

/** How long metadata and keys are cached, in milliseconds. */
export const cacheLifetime = 3_600_000
/** Maximum number of providers whose metadata is cached for configurations that are created for each request. */
const maxProviders = 1000

/**
 * Returns the cached metadata of a provider, which configurations that describe it alike share.
 *
 * @throws InvalidEndpoints when an endpoint is missing, or a discovered one is not allowed
 */
export type MetadataCache = (provider: ResolvedOAuthProvider) => Promise<AuthorizationServer>

interface CacheSlot {
  entry?: {
    readonly fetch: typeof fetch | undefined
    readonly expiresAt: number
    readonly metadata: Promise<AuthorizationServer>
  }
}

export function createMetadataCache(): MetadataCache {
  const getSlot = memoize((_description: string): CacheSlot => ({}), maxProviders)
  const slots = new WeakMap<ResolvedOAuthProvider, CacheSlot>()
  return (provider) => {
    const slot = slots.get(provider) ?? getSlot(describeProvider(provider))
    slots.set(provider, slot)
    const { entry } = slot
    if (entry && entry.fetch === provider.fetch && entry.expiresAt > Date.now())
      return entry.metadata
    const metadata = providerMetadata.loadMetadata(provider)
    slot.entry = { fetch: provider.fetch, expiresAt: Date.now() + cacheLifetime, metadata }
    // Failures are not cached.
    metadata.catch(() => delete slot.entry)
    return metadata
  }
}

/** The fields that decide which endpoints are requested, and which of the discovered ones are used. */
const describedFields = [
  ...["id", "type", "issuer", "metadataIssuer", "wellKnown", "jwksUri", "usesIdToken"],
  ...["allowInsecure", "authorization", "token", "userinfo", "url", "endSessionUrl"],
]

function describeProvider(provider: ResolvedOAuthProvider): string {
  return JSON.stringify(provider, describedFields) + Boolean(provider.userinfo.request)
}
