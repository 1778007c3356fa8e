/** Shortens the library's timeouts, so that tests of endless responses end soon. */
import { onTestFinished, vi } from "vitest"

/**
 * Makes `AbortSignal.timeout` fifty times faster for the test that runs; gives the limits that were asked for,
 * in milliseconds.
 */
export function speedUpTimeouts(): readonly number[] {
  const requestedLimits: number[] = []
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  const spy = vi.spyOn(AbortSignal, "timeout").mockImplementation((limit) => {
    requestedLimits.push(limit)
    return timeout(limit / 50)
  })
  onTestFinished(() => spy.mockRestore())
  return requestedLimits
}
