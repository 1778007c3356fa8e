/** Challenges that have been answered, kept in this process for adapters that store no tokens. */
import { pendingSignInMaxAge } from "../../config/cookie-definitions.ts"

export interface UsedChallenges {
  /** Adds a challenge by its hashes. Returns false when one of them was added before. */
  add(hashes: readonly string[]): boolean
}

/** Maximum number of challenges. A new one replaces the oldest. */
const maxUsedChallenges = 10_000

export function createUsedChallenges(now: () => number = Date.now): UsedChallenges {
  // In the order of their use, which is also the order in which they expire.
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
