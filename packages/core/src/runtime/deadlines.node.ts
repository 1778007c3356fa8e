/** Node: one timer for all deadlines. One for each takes a tenth of a session check, to be made and cleared. */
import { AsyncResource } from "node:async_hooks"
import type { Deadlines } from "./deadlines.ts"
import { deadlines as timers } from "./deadlines.web.ts"
import { isNode } from "./is-node.node.ts"

/** How often is looked whose time is over, in milliseconds, while anybody waits. */
const period = 250

interface Waiting {
  readonly end: number
  readonly expire: () => void
}

const waiting = new Set<Waiting>()

const never = Number.NEGATIVE_INFINITY

/** When it is looked next, and by whose clock: tests put others in its place, and take their timers away with them. */
let due = never
let clock: typeof setTimeout | undefined

/** The timer belongs to no request: it would keep what one has in an `AsyncLocalStorage`. */
const lookLater = AsyncResource.bind((now: number): void => {
  const planned = now + period
  due = planned
  clock = setTimeout
  setTimeout(() => {
    if (due === planned) due = never
    look()
  }, period)
})

function look(): void {
  const now = performance.now()
  try {
    for (const each of waiting) {
      if (now < each.end) continue
      waiting.delete(each)
      each.expire()
    }
  } finally {
    if (waiting.size > 0 && due === never) lookLater(now)
  }
}

const shared: Deadlines = {
  set(limit, expire) {
    const now = performance.now()
    const deadline = { end: now + limit, expire }
    waiting.add(deadline)
    // Long overdue: the thread is busy, or the timer is lost.
    if (now > due + period || clock !== setTimeout) lookLater(now)
    return deadline
  },
  clear: (deadline) => void waiting.delete(deadline as Waiting), // as `set` gave it
}

export const deadlines: Deadlines = isNode ? shared : timers
