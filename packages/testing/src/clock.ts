/**
 * Runs something at another time: `Date.now()` and `new Date()` stand still at `when` until it is done. Timers go on.
 * One at a time within a process; to move timers too, use the fake timers of the test runner.
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
