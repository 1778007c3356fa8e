/** Node: one timer for all deadlines. One for each takes a tenth of a session check, to be made and cleared. */
import type { Deadlines } from "./deadlines.ts"

/** How often is looked whose time is over, in milliseconds. */
const period = 250

interface Waiting {
  /** How often it is passed over. */
  periods: number
  readonly expire: () => void
}

const waiting = new Set<Waiting>()
let isLooking = false

/** It does not keep a process alive that has nothing else to do. */
function lookLater(): void {
  isLooking = true
  setTimeout(look, period).unref()
}

function look(): void {
  isLooking = false
  for (const each of waiting) {
    each.periods -= 1
    if (each.periods >= 0) continue
    waiting.delete(each)
    each.expire()
  }
  if (waiting.size > 0) lookLater()
}

export const deadlines: Deadlines = {
  set(limit, expire) {
    // The period under way may be over at once.
    const deadline = { periods: Math.ceil(limit / period), expire }
    waiting.add(deadline)
    if (!isLooking) lookLater()
    return deadline
  },
  clear: (deadline) => void waiting.delete(deadline as Waiting), // as `set` gave it
}
