/**
 * Runs a function at another time: `Date.now()` and `new Date()` stand still at `time` until it is done. Timers are not
 * affected; to control them, use the fake timers of your test runner. Calls within a process must not overlap.
 */
export async function withFrozenTime<T>(
  time: Date | number,
  run: () => T | Promise<T>,
): Promise<T> {
  const RealDate = globalThis.Date
  const now = Number(time)
  globalThis.Date = class extends RealDate {
    constructor(...parts: [] | [number | string | Date]) {
      super(...((parts.length === 0 ? [now] : parts) as [number]))
    }

    static override now(): number {
      return now
    }
  } as DateConstructor
  try {
    return await run()
  } finally {
    globalThis.Date = RealDate
  }
}
