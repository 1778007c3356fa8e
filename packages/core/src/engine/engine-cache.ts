import { createMetadataCache, type MetadataCache } from "../flows/oauth/provider-metadata.ts"

/** State that engines share when a configuration is compiled again. */
export interface EngineCache {
  readonly getMetadata: MetadataCache
  /** The configuration warnings that were logged already. */
  readonly reportedWarnings: Set<string>
}

export function createEngineCache(): EngineCache {
  return { getMetadata: createMetadataCache(), reportedWarnings: new Set() }
}
