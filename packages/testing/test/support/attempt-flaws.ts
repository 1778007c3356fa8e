/** Flaws of counted attempts, by the case of the suite that must detect them. */
import type { Flaw } from "./flaw.ts"

export const attemptFlaws: Readonly<Record<string, Flaw>> = {
  "countAttempt counts the attempts of each key": (good) => ({
    // Counts to three.
    countAttempt: async (key, window) => {
      const { count, expires } = await good.countAttempt(key, window)
      return { count: count > 3 && count < 60 ? 3 : count, expires }
    },
  }),
  "countAttempt returns the end of the first window": (good) => ({
    // Each attempt prolongs the window that it returns.
    countAttempt: async (key, window) => {
      const { count } = await good.countAttempt(key, window)
      return { count, expires: new Date(Date.now() + window * 1000) }
    },
  }),
  "countAttempt starts a new window after the old one": (good) => ({
    countAttempt: (key, window) => good.countAttempt(key, Math.max(window, 600)),
  }),
  "resetAttempts forgets the attempts of one key": () => ({
    resetAttempts: async () => undefined,
  }),
  "countAttempt distinguishes keys by case and spaces": (good) => ({
    countAttempt: (key, window) => good.countAttempt(key.toLowerCase(), window),
    resetAttempts: (key) => good.resetAttempts(key.toLowerCase()),
  }),
}

/** Reads first and writes afterwards. */
const readBeforeCount: Flaw = (good) => {
  const counts = new Map<string, number>()
  return {
    countAttempt: async (key, window) => {
      const previous = counts.get(key) ?? 0
      const { expires } = await good.countAttempt(key, window)
      counts.set(key, previous + 1)
      return { count: previous + 1, expires }
    },
  }
}

export const attemptRaceFlaws: Readonly<Record<string, Flaw>> = {
  "of 64 concurrent calls of countAttempt, each counts one": readBeforeCount,
  "of 64 concurrent calls of countAttempt after a window, each counts one": readBeforeCount,
}
