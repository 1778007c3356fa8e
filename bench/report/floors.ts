/** How many times faster than the reference library this one has to be. */
import type { Rounds } from "../rounds.ts"
import { type WorkId, workNames } from "../tasks/work.ts"
import { median, ratios } from "./statistics.ts"

const floors = {
  w1: 15,
  // Told beside W1 and W2: a browser that has the session has the other cookies, too.
  w1Alone: undefined,
  w2: 10,
  // Told beside W2: with everything below the libraries alike, nothing is promised.
  w2Shared: undefined,
  w2Alone: undefined,
  w5: 8,
  w7: 8,
} as const satisfies Partial<Record<WorkId, number | undefined>>

/** A floor, and where we are. */
export interface Height {
  readonly work: string
  /** `undefined` for a work that is only told for comparison. */
  readonly floor: number | undefined
  /** Median of the rounds. */
  readonly reached: number
  readonly lowest: number
  /** The same by what processors worked. */
  readonly byCpu: number
}

/** Compares with the floors. */
export function heightsOf(rounds: Rounds): readonly Height[] {
  return Object.entries(floors).map(([id, floor]) => {
    const work = id as keyof typeof floors // the keys of `floors`
    const { latchkey = [], reference = [] } = rounds[work] ?? {}
    const times = ratios(reference, latchkey, "time")
    const byCpu = median(ratios(reference, latchkey, "cpu"))
    return {
      work: workNames[work],
      floor,
      reached: median(times),
      lowest: Math.min(...times),
      byCpu,
    }
  })
}
