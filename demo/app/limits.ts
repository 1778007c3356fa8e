/** How often something may be tried: a guard against guessing passwords and flooding mailboxes. */

/** Whether one more attempt is allowed; counts it. */
export type Limit = (key: string) => boolean

/** Most keys that are counted at a time. */
const most = 10_000

/** Allows so many attempts for each key in a window of time, given in seconds. */
export function createLimit(attempts: number, window: number): Limit {
  const counts = new Map<string, { count: number; until: number }>()
  return (key) => {
    const now = Date.now()
    const known = counts.get(key)
    if (known && known.until > now) {
      known.count += 1
      return known.count <= attempts
    }
    counts.delete(key)
    counts.set(key, { count: 1, until: now + window * 1000 })
    const [oldest] = counts.keys()
    if (counts.size > most && oldest !== undefined) counts.delete(oldest)
    return true
  }
}
