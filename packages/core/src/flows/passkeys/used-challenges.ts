/** Challenges that have been answered in this process. */
import { pendingSignInMaxAge } from "../../config/defaults.ts"

/** Maximum number of challenges. A new one replaces the oldest. */
const maxUsedChallenges = 10_000

export class UsedChallenges {
  /** In the order of their use, which is also the order in which they expire. */
  readonly #expiries = new Map<string, number>()

  /** Adds a challenge by its hash. Returns false when it was added before. */
  add(hash: string): boolean {
    for (const [oldest, expiry] of this.#expiries) {
      if (expiry > Date.now() && this.#expiries.size < maxUsedChallenges) break
      this.#expiries.delete(oldest)
    }
    if (this.#expiries.has(hash)) return false
    this.#expiries.set(hash, Date.now() + pendingSignInMaxAge * 1000)
    return true
  }
}

/** Not one for each configuration, because an application may create that for each request. */
export const usedChallenges: UsedChallenges = new UsedChallenges()
