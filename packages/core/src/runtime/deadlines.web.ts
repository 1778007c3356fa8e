/** Everywhere else: a timer for each, since some runtimes end the timers of a request with that request. */
import type { Deadlines } from "./deadlines.ts"

export const deadlines: Deadlines = {
  set: (limit, expire) => setTimeout(expire, limit),
  clear: (deadline) => clearTimeout(deadline as number), // as `set` gave it
}
