/** Node: one timer for all deadlines. One for each takes a tenth of a session check, to be made and cleared. */
import { AsyncResource } from "node:async_hooks"
import { isNode } from "./is-node.node.ts"
import type { Timeouts } from "./timeouts.ts"
import { timeouts as timers } from "./timeouts.web.ts"

/** How often is looked whose time is over, in milliseconds, while anybody waits. */
const checkInterval = 250

interface PendingTimeout {
  readonly expiresAt: number
  readonly onTimeout: () => void
}

const pendingTimeouts = new Set<PendingTimeout>()

const never = Number.NEGATIVE_INFINITY

/** When it is looked next, and by whose clock: tests put others in its place, and take their timers away with them. */
let nextCheckAt = never
let scheduledWith: typeof setTimeout | undefined

/** The timer belongs to no request: it would keep what one has in an `AsyncLocalStorage`. */
const scheduleCheck = AsyncResource.bind((now: number): void => {
  const plannedAt = now + checkInterval
  nextCheckAt = plannedAt
  scheduledWith = setTimeout
  setTimeout(() => {
    if (nextCheckAt === plannedAt) nextCheckAt = never
    runExpiredTimeouts()
  }, checkInterval)
})

function runExpiredTimeouts(): void {
  const now = performance.now()
  try {
    for (const timeout of pendingTimeouts) {
      if (now < timeout.expiresAt) continue
      pendingTimeouts.delete(timeout)
      timeout.onTimeout()
    }
  } finally {
    if (pendingTimeouts.size > 0 && nextCheckAt === never) scheduleCheck(now)
  }
}

const sharedTimeouts: Timeouts = {
  set(limit, onTimeout) {
    const now = performance.now()
    const timeout = { expiresAt: now + limit, onTimeout }
    pendingTimeouts.add(timeout)
    // Long overdue: the thread is busy, or the timer is lost.
    if (now > nextCheckAt + checkInterval || scheduledWith !== setTimeout) scheduleCheck(now)
    return timeout
  },
  clear: (timeout) => void pendingTimeouts.delete(timeout as PendingTimeout), // as `set` gave it
}

export const timeouts: Timeouts = isNode ? sharedTimeouts : timers
