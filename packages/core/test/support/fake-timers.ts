/** Time that passes when a test says so, while files, requests and other processes go on as ever. */
import { onTestFinished, vi } from "vitest"

/** How much passes at once, in milliseconds. */
const stepDuration = 100
const { setTimeout: realTimeout } = globalThis

export function useFakeTimers() {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] })
  onTestFinished(() => void vi.useRealTimers())

  async function advanceStep(): Promise<void> {
    await vi.advanceTimersByTimeAsync(stepDuration)
    await new Promise((resolve) => realTimeout(resolve, 2))
  }

  return {
    /** Lets so many milliseconds pass. */
    async advance(milliseconds: number): Promise<void> {
      for (let passed = 0; passed < milliseconds; passed += stepDuration) await advanceStep()
    },
    /** Lets time pass until there is a value. @throws Error when so many milliseconds were not enough */
    async advanceUntil<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> {
      let isDone = false
      const done = promise.finally(() => {
        isDone = true
      })
      for (let passed = 0; passed < milliseconds && !isDone; passed += stepDuration)
        await advanceStep()
      if (!isDone) throw new Error(`Nothing came of it within ${milliseconds} ms`)
      return done
    },
  }
}
