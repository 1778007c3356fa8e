/** Reproducible random numbers: the same seed yields the same numbers. */

export interface SeededRandom {
  /** Returns a number from 0 up to, but not including, 1. */
  next(): number
  /** Returns an integer in a range, both ends included. */
  nextInteger(least: number, most: number): number
  /** Waits for a random number of milliseconds. */
  sleepBetween(least: number, most: number): Promise<void>
  /** Creates an independent generator. */
  fork(): SeededRandom
}

/** Returns the seed in LATCHKEY_SEED, or a random one. */
export function readSeed(): number {
  return Number(process.env["LATCHKEY_SEED"] ?? Math.floor(Math.random() * 2 ** 31))
}

/** Creates a generator from a seed (Mulberry32). */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const nextInteger = (least: number, most: number) =>
    least + Math.floor(next() * (most - least + 1))
  return {
    next,
    nextInteger,
    sleepBetween: (least, most) =>
      new Promise((resolve) => setTimeout(resolve, nextInteger(least, most))),
    fork: () => createSeededRandom(nextInteger(0, 2 ** 31)),
  }
}
