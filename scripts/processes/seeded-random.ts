/** Chance that can be repeated: the same seed gives the same numbers. */

export interface SeededRandom {
  /** From 0 to below 1. */
  next(): number
  /** A whole number from one to another, both included. */
  nextInteger(least: number, most: number): number
  /** Waits for some milliseconds. */
  sleepBetween(least: number, most: number): Promise<void>
  /** Chance for somebody else, whose numbers do not depend on who draws first. */
  fork(): SeededRandom
}

/** The seed that LATCHKEY_SEED says, or another one each time. */
export function readSeed(): number {
  return Number(process.env["LATCHKEY_SEED"] ?? Math.floor(Math.random() * 2 ** 31))
}

/** Chance from a seed (the generator is Mulberry32). */
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
