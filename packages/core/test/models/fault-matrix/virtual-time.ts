/** Time that passes only while something waits, so that no test waits for a timeout. */
import { onTestFinished, vi } from "vitest"

/**
 * Pauses between retries, in milliseconds, end as soon as nothing else is to be done. So do timeouts of this length, for
 * calls to the database, which is in memory. Longer ones end only if a call hangs.
 */
const longestPause = 1000
/** The real time, in milliseconds, in which a hanging call has begun to wait. */
const beginDelay = 2
/** The real time, in milliseconds, until the next timeout ends: the first one should have sufficed. */
const nextTimeoutDelay = 1500
const { setTimeout: realTimeout, setImmediate } = globalThis

interface Timer {
  readonly due: number
  readonly kind: "pause" | "timeout" | "signal"
  readonly run: () => void
}

export class VirtualTime {
  /** How often the first timeout did not suffice. */
  lateTimeouts = 0
  #timers = new Set<Timer>()
  #now: number

  /** Replaces the clock and the timers until the test has finished. */
  constructor(start: number) {
    this.#now = start
    vi.useFakeTimers({ toFake: ["Date"], now: start })
    vi.stubGlobal("setTimeout", (run: () => void, delay = 0) =>
      this.#add(run, delay, delay <= longestPause ? "pause" : "timeout"),
    )
    vi.stubGlobal("clearTimeout", (timer: Timer) => void this.#timers.delete(timer))
    const { timeout } = AbortSignal
    // A mock would keep every signal.
    AbortSignal.timeout = (delay) => {
      const controller = new AbortController()
      const expire = () => controller.abort(new DOMException("timed out", "TimeoutError"))
      this.#add(expire, delay, "signal")
      return controller.signal
    }
    onTestFinished(() => {
      AbortSignal.timeout = timeout
      vi.unstubAllGlobals()
      vi.useRealTimers()
    })
  }

  /** Begins a run, without the timers of the one before. */
  reset(now: number): void {
    const timers = this.#timers
    this.#timers = new Set()
    // Node.js keeps signals with listeners until they abort.
    for (const { kind, run } of timers) if (kind === "signal") run()
    this.#setNow(now)
  }

  advance(milliseconds: number): void {
    this.#setNow(this.#now + milliseconds)
  }

  /** Ends the timeout of a call that hangs. */
  readonly endTimeout = async (isRequest: boolean): Promise<void> => {
    const timers = this.#timers
    await waitForWork(beginDelay)
    const ofKind = (kind: Timer["kind"]) => [...timers].filter((timer) => timer.kind === kind)
    const earliest = () => ofKind("timeout").sort((a, b) => a.due - b.due)[0]
    // Signals of requests that ended still have their timers: only the newest one is in use.
    let next = isRequest ? ofKind("signal").at(-1) : earliest()
    while (next && this.#timers === timers) {
      this.#fire(next)
      await waitForWork(nextTimeoutDelay)
      next = earliest()
      if (next && this.#timers === timers) this.lateTimeouts += 1
    }
  }

  #add(run: () => void, delay: number, kind: Timer["kind"]): Timer {
    const timer = { due: this.#now + delay, kind, run }
    this.#timers.add(timer)
    if (kind === "pause") setImmediate(() => this.#timers.has(timer) && this.#fire(timer))
    return timer
  }

  #fire(timer: Timer): void {
    this.#timers.delete(timer)
    this.#setNow(Math.max(this.#now, timer.due))
    timer.run()
  }

  #setNow(now: number): void {
    this.#now = now
    vi.setSystemTime(now)
  }
}

const waitForWork = (milliseconds: number) =>
  new Promise((resolve) => realTimeout(resolve, milliseconds))
