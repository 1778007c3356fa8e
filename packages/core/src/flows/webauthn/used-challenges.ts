/** Challenges that have been answered, kept in this process for adapters that store no tokens. */
import { pendingSignInMaxAge } from "../../config/cookie-definitions.ts"

/** Maximum number of challenges. A new one replaces the oldest. */
const maxUsedChallenges = 10_000

export class UsedChallenges {
  /** In the order of their use, which is also the order in which they expire. */
  readonly #expiries = new Map<string, number>()

  /** Adds a challenge by its hashes. Returns false when one of them was added before. */
  add([hash = "", ...otherHashes]: readonly string[]): boolean {
    for (const [oldest, expiry] of this.#expiries) {
      if (expiry > Date.now() && this.#expiries.size < maxUsedChallenges) break
      this.#expiries.delete(oldest)
    }
    if ([hash, ...otherHashes].some((used) => this.#expiries.has(used))) return false
    this.#expiries.set(hash, Date.now() + pendingSignInMaxAge * 1000)
    return true
  }
}
