/** Challenges that were answered, for adapters that cannot keep tokens: remembered by this process. */
import { pendingSignInMaxAge } from "../../config/cookie-definitions.ts"

export interface UsedChallenges {
  /** Remembers a challenge, by the hashes that it has; false when it was remembered before. */
  add(hashes: readonly string[]): boolean
}

/** Most challenges that are remembered; beyond, the oldest is forgotten. */
const maxUsedChallenges = 10_000

export function createUsedChallenges(now: () => number = Date.now): UsedChallenges {
  // In the order in which they were used, which is the order in which they stop to matter.
  const expiries = new Map<string, number>()
  return {
    add(hashes) {
      const time = now()
      for (const [hash, expiry] of expiries) {
        if (expiry > time && expiries.size < maxUsedChallenges) break
        expiries.delete(hash)
      }
      if (hashes.some((hash) => expiries.has(hash))) return false
      const [hash] = hashes
      if (hash !== undefined) expiries.set(hash, time + pendingSignInMaxAge * 1000)
      return true
    },
  }
}
