/** What one compilation of a configuration leaves to the next. */
import type { CoreServices } from "../config/core-services.ts"
import { findConfigWarnings, formatConfigWarning } from "../config-problems.ts"
import { createMetadataCache, type MetadataCache } from "../flows/oauth/metadata-cache.ts"

/** Most pieces of advice that are remembered. */
const maxReportedWarnings = 1000

/** What outlives one compilation of a configuration: what was learned of providers, and what was said. */
export interface EngineCache {
  readonly metadata: MetadataCache
  /** Advice that was given already. */
  readonly reportedWarnings: Set<string>
}

/** A memory with nothing in it. */
export function createEngineCache(): EngineCache {
  return { metadata: createMetadataCache(), reportedWarnings: new Set() }
}

/** Warns of what is worth a word, once. */
export function logWarnings({ config, logger }: CoreServices, reportedWarnings: Set<string>): void {
  for (const warning of findConfigWarnings(config)) {
    const text = formatConfigWarning(warning)
    if (reportedWarnings.has(text)) continue
    if (reportedWarnings.size >= maxReportedWarnings) reportedWarnings.clear()
    reportedWarnings.add(text)
    logger.warn(warning.type, text)
  }
}
