/** Time that passes only while something waits, so that no test waits for a timeout. */
import { onTestFinished, vi } from "vitest"

/**
 * Pauses between retries, in milliseconds, end after a moment. So do timeouts of this length, for calls to the database,
 * which is in memory. Longer ones end only if a call hangs.
 */
const longestPause = 1000
/** The real time, in milliseconds, until a pause ends: a call that does not hang has ended by then. */
const pauseDelay = 20
/** The real time, in milliseconds, in which a hanging call has begun to wait. */
const beginDelay = 2
/** The real time, in milliseconds, until the next timeout ends: the first one should have sufficed. */
const nextTimeoutDelay = 1500
const realTimeout = globalThis.setTimeout

interface Timer {
  readonly due: number
  readonly kind: "pause" | "timeout"
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
    onTestFinished(() => {
      vi.unstubAllGlobals()
      vi.useRealTimers()
    })
  }

  /** Begins a run, without the timers of the one before. */
  reset(now: number): void {
    this.#timers = new Set()
    this.#setNow(now)
  }

  advance(milliseconds: number): void {
    this.#setNow(this.#now + milliseconds)
  }

  /** Ends the timeout of a call that hangs. */
  readonly endTimeout = async (): Promise<void> => {
    const timers = this.#timers
    await waitForWork(beginDelay)
    const timeouts = () => [...timers].filter(({ kind }) => kind === "timeout")
    const earliest = () => timeouts().sort((a, b) => a.due - b.due)[0]
    let next = earliest()
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
    if (kind === "pause")
      realTimeout(() => this.#timers.has(timer) && this.#fire(timer), pauseDelay)
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
