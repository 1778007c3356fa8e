/** Everywhere else: a timer for each, since some runtimes end the timers of a request with that request. */
import type { Timeouts } from "./timeouts.ts"

export const timeouts: Timeouts = {
  set: (limit, expire) => setTimeout(expire, limit),
  clear: (deadline) => clearTimeout(deadline as number), // as `set` gave it
}
