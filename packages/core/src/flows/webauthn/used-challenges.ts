/** Challenges that were answered, for adapters that cannot keep tokens: remembered by this process. */
import { flowLifetime } from "../../config/cookies.ts"

export interface UsedChallenges {
  /** Remembers a challenge, by the hashes that it has; false when it was remembered before. */
  add(hashes: readonly string[]): boolean
}

/** Most challenges that are remembered; beyond, the oldest is forgotten. */
const most = 10_000

export function createUsedChallenges(now: () => number = Date.now): UsedChallenges {
  // In the order in which they were used, which is the order in which they stop to matter.
  const until = new Map<string, number>()
  return {
    add(hashes) {
      const time = now()
      for (const [hash, end] of until) {
        if (end > time && until.size < most) break
        until.delete(hash)
      }
      if (hashes.some((hash) => until.has(hash))) return false
      const [hash] = hashes
      if (hash !== undefined) until.set(hash, time + flowLifetime * 1000)
      return true
    },
  }
}
