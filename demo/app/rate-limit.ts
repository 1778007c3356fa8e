/** Limits attempts, against guessing passwords and flooding mailboxes. */

/** Counts an attempt and returns whether it is allowed. */
export type RateLimit = (key: string) => boolean

/** Keys that are counted at a time. */
const maxKeys = 10_000

/** Creates a limit on the attempts per key within a window in seconds. */
export function createRateLimit(attempts: number, window: number): RateLimit {
  const counts = new Map<string, { count: number; until: number }>()
  return (key) => {
    const now = Date.now()
    const existing = counts.get(key)
    if (existing && existing.until > now) {
      existing.count += 1
      return existing.count <= attempts
    }
    counts.delete(key)
    counts.set(key, { count: 1, until: now + window * 1000 })
    const [oldest] = counts.keys()
    if (counts.size > maxKeys && oldest !== undefined) counts.delete(oldest)
    return true
  }
}
