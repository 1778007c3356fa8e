/** What one compilation of a configuration leaves to the next. */
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { createMetadataMemory, type MetadataMemory } from "../flows/oauth/metadata-memory.ts"
import { adviceOf, adviceText } from "../inspect.ts"

/** Most pieces of advice that are remembered. */
const mostTold = 1000

/** What outlives one compilation of a configuration: what was learned of providers, and what was said. */
export interface EngineMemory {
  readonly metadata: MetadataMemory
  /** Advice that was given already. */
  readonly told: Set<string>
}

/** A memory with nothing in it. */
export function createMemory(): EngineMemory {
  return { metadata: createMetadataMemory(), told: new Set() }
}

/** Warns of what is worth a word, once. */
export function advise(config: ResolvedConfig, told: Set<string>): void {
  for (const advice of adviceOf(config)) {
    const text = adviceText(advice)
    if (told.has(text)) continue
    if (told.size >= mostTold) told.clear()
    told.add(text)
    config.log.warn(advice.type, text)
  }
}
