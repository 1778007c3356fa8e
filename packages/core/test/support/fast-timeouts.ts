/** Shortens the library's timeouts, so that tests of endless responses end soon. */
import { onTestFinished, vi } from "vitest"

/** Makes the timeouts of requests to providers, 10 s, ten times shorter for the test that runs. */
export function speedUpTimeouts(): void {
  const { setTimeout } = globalThis
  vi.stubGlobal("setTimeout", (run: () => void, delay?: number) =>
    setTimeout(run, delay === 10_000 ? delay / 10 : delay),
  )
  onTestFinished(() => void vi.unstubAllGlobals())
}
